import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where a process runs: the server under test has a core to itself, everything else shares the others. */
export type Place = 'server' | 'others';

const cores = findCores();

/** Whether processes can be pinned to cores here: on Linux with two cores or more and `taskset`. */
export const canPin = cores.length > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The command line that runs a program in its place. */
export function pinned(place: Place, program: string, args: readonly string[]): [string, string[]] {
  if (!canPin) return [program, [...args]];
  const list = place === 'server' ? String(cores[0]) : cores.slice(1).join(',');
  return ['taskset', ['-c', list, program, ...args]];
}

/** The cores this process may use, for example 0 and 1 for `0-1`; none where the system does not tell. */
function findCores(): number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
    return list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, n) => first + n);
    });
  } catch {
    return [];
  }
}

/** What the machine offers, in words for the report. */
export const coresInWords = canPin
  ? `server on core ${cores[0]}, load generator and PostgreSQL on ${cores.slice(1).join(', ')}`
  : `not pinned: ${availableParallelism()} cores shared by all processes`;
