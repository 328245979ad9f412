import type { ImportedFile } from '../items.ts';
import type { Remote } from '../remote.ts';
import { itemListOf, rowOf, textOf } from './rows.ts';

/** Files as exports of Earshot and its API have them, with their addresses. */
export function filesIn(remote: Pick<Remote, 'get'>, files: unknown): ImportedFile[] {
  return itemListOf(files)
    .map(rowOf)
    .map(({ name, url }) => ({ name: textOf(name), open: () => remote.get(textOf(url)) }));
}
