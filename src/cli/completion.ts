import { Argument, type Command } from 'commander';
import type { Terminal } from './terminal.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/**
 * `completion`: what a shell runs so that the tabulator key completes commands and options.
 * @param makeWhole gives the program with all of its commands
 */
export function addCompletion(program: Command, terminal: Terminal, makeWhole: () => Promise<Command>): void {
  program
    .command('completion')
    .description(
      'print a script that completes commands and options in a shell, such as: eval "$(earshot completion bash)"',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => {
      const choices = [...choicesOf(await makeWhole())];
      terminal.out(scripts[shell](choices));
    });
}

/** Words that may follow on a command: the path of names that leads to it is empty for the program itself. */
type Choices = { path: readonly string[]; words: readonly string[] };

function* choicesOf(command: Command, path: readonly string[] = []): Generator<Choices> {
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
  yield { path, words: [...command.commands.map((each) => each.name()), ...options, '--help'] };
  for (const each of command.commands) yield* choicesOf(each, [...path, each.name()]);
}

const scripts: Record<Shell, (choices: readonly Choices[]) => string> = {
  bash: makeBash,
  zsh: (choices) => `autoload -U +X bashcompinit && bashcompinit\n${makeBash(choices)}`,
  fish: (choices) => `complete -c earshot -f\n${choices.flatMap(makeFish).join('\n')}`,
};

/** The longest path among the words that are there tells which may follow; elsewhere a file is completed. */
function makeBash(choices: readonly Choices[]): string {
  const cases = choices.map(({ path, words }) => `    "${path.join(' ')}") echo "${words.join(' ')}" ;;`);
  return `_earshot_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_earshot() {
  local word path="" next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    [ -n "$(_earshot_words "$next")" ] && path="$next"
  done
  COMPREPLY=($(compgen -W "$(_earshot_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _earshot earshot`;
}

function makeFish({ path, words }: Choices): string[] {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
  const when = path.length === 0 ? '__fish_use_subcommand' : seen;
  const [options, names] = [
    words.filter((word) => word.startsWith('--')),
    words.filter((word) => !word.startsWith('--')),
  ];
  const ofNames = names.length === 0 ? [] : [`complete -c earshot -n '${when}' -a '${names.join(' ')}'`];
  return [...ofNames, ...options.map((option) => `complete -c earshot -n '${when}' -l ${option.slice(2)}`)];
}
