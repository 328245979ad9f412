import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';

const file = fileURLToPath(new URL('../../docs/commands.md', import.meta.url));
const WIDTH = 100;

const introduction = `# Command line

Generated from the program. Run a command with \`npm run -s earshot -- <command>\`, in a container with
\`docker compose exec web node dist/main.js <command>\`. Commands read the same environment variables as the server
(\`docs/configuration.md\`) and use its store, even while it is running.

With \`--json\` a command prints one JSON value, for scripts. Errors go to standard error. The exit status is 0 on
success, 1 if the command failed, 2 if the command line is wrong.

If no owner can sign in any more, \`owner invite --email you@example.com\` prints a link that makes you an owner.
`;

test('docs/commands.md has the help of every command', async (t) => {
  const program = await makeProgram({}, { out() {}, error() {} });
  t.assert.fileSnapshot([introduction, ...leaves(program).map(describe)].join('\n'), file, { serializers: [String] });
});

/** Commands that do something, in their order. */
function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function describe(command: Command): string {
  const help = command.configureOutput({ getOutHelpWidth: () => WIDTH }).helpInformation();
  return `## ${pathOf(command).join(' ')}\n\n\`\`\`text\n${help.replace('Usage: ', '').trimEnd()}\n\`\`\`\n`;
}

/** Names of a command and of those above it, without that of the program. */
function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}
