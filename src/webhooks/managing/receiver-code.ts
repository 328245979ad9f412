import { readFileSync } from 'node:fs';
import { packageFile } from '../../platform/installed.ts';

/** A receiver to start from: a complete program from `examples/`, and how to start it. */
type ReceiverCode = { language: string; file: string; start: string; code: string };

/** The path that the receivers of `examples/` serve. */
const EXAMPLE_PATH = '/webhook';

const examples = [
  { language: 'Node.js', file: 'receiver.mjs', place: 'node/receiver.mjs', start: 'node receiver.mjs' },
  { language: 'Python', file: 'receiver.py', place: 'python/receiver.py', start: 'python3 receiver.py' },
  { language: 'PHP', file: 'receiver.php', place: 'php/receiver.php', start: 'php receiver.php' },
  { language: 'Go', file: 'receiver.go', place: 'go/receiver.go', start: 'go run receiver.go' },
] as const;

/** The receivers of `examples/`, serving the path of this URL instead of their own. */
export function listReceiverCode(url: string): ReceiverCode[] {
  const path = pathOf(url);
  return examples.map(({ language, file, place, start }) => {
    const code = readFileSync(packageFile(`examples/${place}`), 'utf8');
    return { language, file, start, code: code.replaceAll(EXAMPLE_PATH, path) };
  });
}

/** A path with characters that have a meaning in a program is not inserted. */
function pathOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? EXAMPLE_PATH;
  return /^[\w./~-]+$/.test(path) ? path : EXAMPLE_PATH;
}
