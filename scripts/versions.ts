import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the version is written: how many of the first `"version"` of a file are ours. `package.json` is what all else follows. */
const places = {
  'package.json': 1,
  'package-lock.json': 2,
  'sdk/package.json': 1,
  'server.json': 1,
  'integrations/n8n/package.json': 1,
  'integrations/n8n/package-lock.json': 2,
  'integrations/vote/package.json': 1,
} as const;
const VERSION = /"version": "([^"]*)"/g;

/** The version in each place, in the order in which it is written there. */
export function readVersions(root: string): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(places).map(([file, many]) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(VERSION)].slice(0, many);
      return [file, found.map(([, version = '']) => version)];
    }),
  );
}

/** Writes the version in all places. */
export function writeVersions(root: string, version: string): void {
  for (const [file, many] of Object.entries(places)) {
    let left: number = many;
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(
      join(root, file),
      text.replace(VERSION, (old) => (left-- > 0 ? `"version": "${version}"` : old)),
    );
  }
}

/** Whether a version is one that can be released: three numbers. */
export function isVersion(text: string): boolean {
  return /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);
}

/** Orders versions: below 0 if the first is the earlier one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const differences = (left ?? []).map((part, n) => part - (right?.[n] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/**
 * The notes of a version: its section of the changelog, with the heading `## 1.2.3 — 2027-01-31`.
 * @returns null unless it is the topmost section and says something
 */
export function readNotes(changelog: string, version: string): string | null {
  const [, first = ''] = changelog.split(/^## /m);
  const [heading = '', ...lines] = first.split('\n');
  const isIts = heading.startsWith(`${version} — `) && /^\S+ — \d{4}-\d\d-\d\d$/.test(heading);
  const text = lines.join('\n').trim();
  return isIts && text !== '' ? text : null;
}
