import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findShipped, type Shipped } from './shipped.ts';

const LICENSE_FILE = /^(licen[cs]e|copying|notice|unlicense)([.-].*)?$/i;

/** The licenses of all packages that a release contains: a table, and each text once with the packages it is for. */
export function printNotices(root: string, version: string, shipped: readonly Shipped[]): string {
  const rows = new Set(shipped.map((item) => `| ${item.name} | ${item.version} | ${item.license} |`));
  const byText = Map.groupBy(
    shipped.flatMap((item) => readTexts(join(root, item.path)).map((text) => ({ item, text }))),
    ({ text }) => text,
  );
  const sections = [...byText].map(([text, uses]) => {
    const names = [...new Set(uses.map(({ item }) => `${item.name} ${item.version}`))];
    return `## ${names.join(', ')}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`;
  });
  return `# Third-party notices

Earshot ${version} contains these packages or installs them with it, under their licenses. Of packages without a text below,
the package itself has none, or it is one of the variants of \`sharp\` and its libraries for other systems, which npm
installs where they are needed.

| Package | Version | License |
|---|---|---|
${[...rows].join('\n')}

${sections.join('\n')}`;
}

function readTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .filter(({ name }) => LICENSE_FILE.test(name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

/** For an image: writes `THIRD-PARTY-NOTICES.md` of this checkout. */
if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), printNotices(root, version, findShipped(root)));
}
