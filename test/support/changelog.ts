import type { GqlOptions, TestApp } from './app.ts';

/** What is asked of an entry. */
export const ENTRY = `id number title text labels state dateScheduled datePublished dateCreated dateUpdated url
  author { ssoId } posts { nodes { title } } files { name url } reactions { reaction count } viewerReactions`;

export const CREATE = `mutation($title: String = "Dark mode", $text: String, $labels: [ChangelogLabel!], $postIds: [String!],
  $files: [String]) {
  createChangelogEntry(title: $title, text: $text, labels: $labels, postIds: $postIds, files: $files) { ${ENTRY} }
}`;
export const UPDATE = `mutation($id: String!, $title: String, $text: String, $labels: [ChangelogLabel!],
  $postIds: [String!], $files: [String]) {
  updateChangelogEntry(id: $id, title: $title, text: $text, labels: $labels, postIds: $postIds, files: $files) { ${ENTRY} }
}`;
export const PUBLISH = `mutation($id: String!, $at: DateTime) { publishChangelogEntry(id: $id, at: $at) { ${ENTRY} } }`;
export const UNPUBLISH = `mutation($id: String!) { unpublishChangelogEntry(id: $id) { ${ENTRY} } }`;
export const REACT = `mutation($id: String!, $reaction: ChangelogReaction!) { addChangelogReaction(id: $id, reaction: $reaction) { ${ENTRY} } }`;
export const TAKE_BACK = `mutation($id: String!, $reaction: ChangelogReaction!) { removeChangelogReaction(id: $id, reaction: $reaction) { ${ENTRY} } }`;

/** Adds an entry to the changelog and gives its id. */
export async function makeEntry({ api }: TestApp, input: object = {}, options?: GqlOptions): Promise<string> {
  return (await api.as(options).createChangelogEntry({ title: 'Dark mode', ...input })).id;
}

/** Adds an entry to the changelog, publishes it and gives its id. */
export async function publishNew(app: TestApp, input: object = {}, options?: GqlOptions): Promise<string> {
  const id = await makeEntry(app, input, options);
  await app.api.as(options).publishChangelogEntry({ id });
  return id;
}
