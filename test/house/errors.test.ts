import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Errors that are in English only, with `…` for values: those that only programs can bring about, and those about a line of
 * an import, whose report is in English.
 */
const inEnglish = [
  'A FIELD filter needs `is` or `empty`',
  'A FIELD filter needs `label`: the label of a field',
  'A STATUS filter needs `is`: a status id or type',
  'A board gets at most … statuses by imports',
  'A field of type … has no options',
  'A field takes at most … values; it has …',
  'A reply to a comment of type INTERNAL is INTERNAL itself',
  'A … must not be in the future',
  'An entry must not be in the future',
  'Comments of type … are written by Earshot itself',
  'Comments that Earshot wrote cannot be changed',
  'Events after this cursor are no longer kept: start again from oldestCursor',
  'Every board needs its status of type …',
  'Invalid Api Key',
  'Merged posts are not shown on the roadmap',
  'Only mergePosts can set the status MERGED',
  'Sign in to see assignments',
  'Sign in to see segments',
  'Sign in to see who is behind ideas',
  'The API is available on the Pro and Enterprise plans',
  'The body is not what … sends; its content type must be application/json',
  'The body must be a JSON object',
  'The budget of this API key allows some tags only, so it may not manage tags',
  'The budget of this API key does not allow the tag …',
  'The comment has no id',
  'The entry has no id',
  'The filters on "…" combine \\`is\\` and \\`empty\\`: use only one of them',
  'The first comment of a post is its description and cannot be deleted',
  'The first comment of a post is moderated with it: use changePostModerationStatus',
  'The idea has no id',
  'The number of votes must be 0 to …',
  'The post with this externalId is deleted; restorePost brings it back',
  'The signature does not match: is its secret that of the webhook?',
  'The tag … is left out: a board gets at most … tags by imports',
  'There is a post with this externalId that this user may not see',
  'There is already a changelog entry with this id',
  'There is already a comment with this id',
  'There is already a field with this id',
  'There is already a post with this id',
  'There is already a status with this id',
  'There is no … … before this line: what belongs to it is left out',
  'This API key acts only as its own user: leave out ssotype, ssoid and userid, or name that user',
  'This API key acts only as one user, who no longer exists: revoke it, and create another one',
  'This API key lacks the permission …, which … needs',
  'This tracker takes its webhook by hand only; see docs/trackers.md',
  'Turn Slack on first',
  'Two options have the same id',
  '`empty` of a FIELD filter is "true" or "false"',
  'dateCreated must not be in the future',
  'ids names a field more than once',
  'ids names a status more than once',
  'ids names a view more than once',
  'locations must have at most … texts; it has …',
  'parentId must be a comment on the same post',
  'properties names a field more than once',
  'redirect_uris must be a list of 1 to … addresses',
  'redirect_uris must be https addresses, http addresses of this device, or those of an app: of a known one, or with a reversed domain name as their scheme',
  'search must have at most … characters; it has …',
  'sort: RELEVANCE needs a search',
  'sourceIds must have 1 to … posts; it has …',
  'ssoid and userid are both in the headers, with different values',
  'ssoid is required in headers',
  'ssotype is required in headers',
  'statusId is required for, and only for, statusType CUSTOM',
];

test('an error that a page can show has a key, so that it is said in the language of the reader', () => {
  const files = globSync('src/{identity,feedback,webhooks,operations,pages}/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', '**/*.graphql.ts'],
  });
  const plain = files.flatMap((file) => plainErrors(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual([...new Set(plain)].sort(), inEnglish, 'give it a key, or list it if only programs see it');
});

/** The errors in a file that are made of a literal, in place or by the name of a constant. */
function plainErrors(code: string): string[] {
  const made = /\b(?:(?:badRequest|conflict|forbidden)\(|new AppError\(\s*'\w+',)\s*/g;
  return [...code.matchAll(made)].flatMap(({ 0: call, index }) => {
    const given = code.slice(index + call.length);
    const [, name] = /^(\w+)\b(?!\()/.exec(given) ?? [];
    const words = name === undefined ? given : code.split(new RegExp(`\\bconst ${name}\\b[^=]*=\\s*`))[1];
    const [, quote, literal] = /^(['"`])((?:\\.|(?!\1).)*)\1/s.exec(words ?? '') ?? [];
    return literal === undefined ? [] : [quote === '`' ? literal.replace(/\$\{[^}]*\}/g, '…') : literal];
  });
}
