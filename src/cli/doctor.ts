import { type Command, InvalidArgumentError } from 'commander';
import type { DoctorFinding } from '../operations/reach/doctor/check.ts';
import { examine } from '../operations/reach/doctor/examine.ts';
import { silentProxies } from '../operations/reach/proxy-lines.ts';
import { readConfig } from '../platform/config.ts';
import { type Environment, requireStore } from './store.ts';
import type { OutputOptions, Terminal } from './terminal.ts';

type DoctorOptions = OutputOptions & { url?: string };

/** `doctor`: what is wrong between people and the running server. */
export function addDoctor(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'check what stands between people and the running server: DNS, certificate, proxy, the address of visitors, uploads, ' +
        'streams, clock, mail server and sign-in. Names what is wrong with the line to change; run it with the settings of ' +
        'the server. Sends no mail and changes nothing; exit status 1 if something is wrong',
    )
    .option('--url <url>', 'public address to check (default: BASE_URL)', parseUrl)
    .option('--json', 'print JSON')
    .action((options: DoctorOptions) => doctor(options, env, terminal));
}

function parseUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

async function doctor({ url, json = false }: DoctorOptions, env: Environment, terminal: Terminal): Promise<void> {
  const config = readConfig(env);
  requireStore(config);
  const findings: DoctorFinding[] = [];
  for await (const finding of examine(config, url ?? null)) {
    findings.push(finding);
    if (!json) terminal.out(describe(finding));
  }
  const wrong = findings.filter(({ isRight }) => isRight === false);
  if (json) terminal.out(JSON.stringify({ ok: wrong.length === 0, checks: findings.map(asJson) }));
  else if (wrong.length === 0) terminal.out('Nothing is wrong.');
  if (wrong.length > 0) throw new Error(`Wrong: ${wrong.map(({ check }) => check).join(', ')}`);
}

function asJson({ check, isRight, seen, why, change }: DoctorFinding) {
  return { name: check, ok: isRight, seen: seen.text, why: why?.text ?? null, change: change?.line ?? null };
}

/** Wide enough for the longest name of a check. */
const NAME_WIDTH = 13;

function describe({ check, isRight, seen, why, change }: DoctorFinding): string {
  const verdict = isRight === null ? '?' : isRight ? 'right' : 'WRONG';
  const lines = [`${verdict.padEnd(6)} ${check.padEnd(NAME_WIDTH)} ${seen.text}`];
  if (why) lines.push(why.text);
  if (change && change.forms.length === 0) lines.push(`Set: ${change.line}`);
  for (const { proxy, line } of change?.forms ?? []) lines.push(`${proxy}: ${line}`);
  const silent = change && change.forms.length > 0 ? silentProxies(change) : [];
  if (silent.length > 0)
    lines.push(`${silent.join(', ')}: by itself, unless a line of yours changes it: remove that line`);
  return lines.join(`\n${' '.repeat(7)}`);
}
