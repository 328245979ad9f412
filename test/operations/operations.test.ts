import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNonNullType } from 'graphql';
import { idArguments, textArguments } from '../contracts/arguments/listing.ts';
import { mutationNames, rootFields } from '../support/schema.ts';
import { callOf, mutations, operations, type Trial, trials } from './operations.ts';

const WHERE = `
Write it in test/operations/, beside the records of the same noun: what its arguments take, which row of "Who sees and does
what" in docs/api.md it is in, and how it is undone, or why not. The tests of arguments, authority and undoing follow.`;

test('every operation has its record, which lists what every argument takes', () => {
  const names = [...mutationNames, ...Object.keys(rootFields).filter((name) => rootFields[name]?.args.length)];
  const missing = [...new Set(names)].filter((name) => !operations[name]);
  const isMissing = (argument: string) => missing.some((name) => argument.includes(`.${name}(`));
  const wrong = [
    ...missing.map((name) => `${name} has no record`),
    ...Object.keys(operations).flatMap((name) => (rootFields[name] ? [] : `there is no ${name}`)),
    ...findUntried(idArguments, ({ argument }) => argument.id !== undefined || argument.isIgnored === true, 'an id'),
    ...findUntried(textArguments, ({ argument }) => argument.text !== undefined, 'a text'),
    ...[...trials.keys()].flatMap((name) =>
      [...idArguments, ...textArguments].includes(name) ? [] : `${name} takes neither an id nor a text`,
    ),
    ...Object.keys(operations).flatMap(findNeeded),
    ...Object.keys(mutations).flatMap((name) =>
      mutations[name]?.may || name === 'createUser' ? [] : `${name} is in no row of the table`,
    ),
  ].filter((problem) => !isMissing(problem));
  assert.deepEqual(wrong, [], `${wrong.join('\n')}${WHERE}`);
});

/** Arguments of the schema that no test tries as what they are. */
function findUntried(names: readonly string[], isTried: (trial: Trial) => boolean, what: string): string[] {
  return names.flatMap((name) => {
    const trial = trials.get(name);
    return trial && isTried(trial) ? [] : `${name} takes ${what}, and no record says which`;
  });
}

/** Arguments that must be given, and that the sample of an operation does not give. */
function findNeeded(name: string): string[] {
  const { args } = callOf(name);
  const needed = rootFields[name]?.args.filter(({ type }) => isNonNullType(type)) ?? [];
  return needed.flatMap((arg) => (arg.name in args ? [] : `${name} needs a sample of ${arg.name}`));
}
