import type { TestApp } from './app.ts';

/** Operations on tags, and on posts as far as tags go. */
export const CREATE_TAG = `mutation($name: String!, $color: String, $isPrivate: Boolean) {
  createTag(name: $name, color: $color, isPrivate: $isPrivate) { id name color isPrivate postCount }
}`;
export const UPDATE_TAG = `mutation($id: String!, $name: String, $color: String, $isPrivate: Boolean) {
  updateTag(id: $id, name: $name, color: $color, isPrivate: $isPrivate) { id name color isPrivate }
}`;
export const DELETE_TAG = 'mutation($id: String!) { deleteTag(id: $id) { id name } }';
export const CREATE_POST = `mutation($tagIds: [String!], $externalId: String) {
  createPost(title: "Dark mode", tagIds: $tagIds, externalId: $externalId) { id tags { name } }
}`;
export const SET_TAGS = `mutation($id: String!, $tagIds: [String!]) {
  updatePost(id: $id, tagIds: $tagIds) { node { id tags { name } } }
}`;
export const DELETE_POST = 'mutation($id: String!) { deletePost(postId: $id) { id tags { name } } }';
export const RESTORE_POST = 'mutation($id: String!) { restorePost(id: $id) { id tags { name } } }';

type Named = { name: string };

/** The names of tags, in their order. */
export const namesOf = (tags: Named[]) => tags.map(({ name }) => name);

/** Makes a tag and gives its id. */
export async function makeTag({ api }: TestApp, name: string, isPrivate = false): Promise<string> {
  return (await api.createTag({ name, isPrivate })).id;
}

/** Makes public tags and gives their ids. */
export async function makeTags<const Names extends string[]>(app: TestApp, ...names: Names) {
  const ids: string[] = [];
  for (const name of names) ids.push(await makeTag(app, name));
  return ids as { [N in keyof Names]: string };
}

/** `Bug 2, Idea 0`: the tags of the board with their counts. */
export async function countsOf({ api }: TestApp): Promise<string> {
  const tags = await api.listTags({ name: true, postCount: true });
  return tags.map(({ name, postCount }) => `${name} ${postCount}`).join(', ');
}
