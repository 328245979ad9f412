import type { Visit } from '../../src/pages/visit.ts';

/** An address that says what was done, with the operation by which the team can undo what the request has done: its toast has a button then. */
export function withUndo({ operation }: Visit, path: string): string {
  if (!operation.isRecorded || !/[?&]done=/.test(path)) return path;
  const [page = '', hash] = path.split('#');
  return `${page}${page.includes('?') ? '&' : '?'}operation=${operation.id}${hash ? `#${hash}` : ''}`;
}
