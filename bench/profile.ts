import { join } from 'node:path';
import type { Program } from './processes.ts';

/** Where reports and profiles go. */
export const resultsFolder = join(import.meta.dirname, 'results');

/** The program, writing a CPU profile of that name when it ends if profiles are wanted. */
export function profiled(isWanted: boolean, name: string, program: Program): Program {
  if (!isWanted) return program;
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${resultsFolder}`, `--cpu-prof-name=${name}.cpuprofile`];
  return { ...program, nodeArgs };
}
