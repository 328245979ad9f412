import { runProgram } from './commands/program.ts';

process.exitCode = await runProgram(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
});
