import type { TestApp } from './app.ts';

export const SET_TAGS = `mutation($id: String!, $tagIds: [String!]) {
  updatePost(id: $id, tagIds: $tagIds) { node { id tags { name } } }
}`;

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
