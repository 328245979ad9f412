import { hash } from 'node:crypto';
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import * as z from 'zod';
import { AppError, badRequest } from '../../platform/errors.ts';
import { MAX_TOKENS } from '../../platform/graphql/limits.ts';
import { msg } from '../../platform/messages.ts';

/** Documents of one key. */
const MAX_DOCUMENTS = 100;
const MAX_ID = 200;

/** A document that a publishable key may send: the ids by which clients name it, the best one first, and its text. */
export type RegisteredDocument = { ids: readonly string[]; text: string };

/** What every publishable key may send: the documents of the custom element. */
export const ownDocuments: readonly RegisteredDocument[] = [
  {
    ids: ['vote'],
    text: `query ($number: Int!) {
      postByNumber(number: $number) { id title url upvoteCount viewerVote isLocked }
    }`,
  },
  { ids: ['upvote'], text: 'mutation ($id: String!) { upvotePost(postId: $id) { upvoteCount viewerVote } }' },
  { ids: ['unvote'], text: 'mutation ($id: String!) { removeVote(postId: $id) { upvoteCount viewerVote } }' },
];

/**
 * What publishable keys may ask for, by type: what everyone sees on the pages of a public board. Whatever is not here is
 * refused when a document is registered, also what a later version adds.
 */
export const publicFields: Readonly<Record<string, readonly string[]>> = {
  Query: words(`board changelog changelogEntry comment comments field listFields listTags post postByNumber posts
    roadmap similarPosts tag`),
  Mutation: words('upvotePost downvotePost removeVote'),
  Board: words(`description faviconUrl fields headerLink id isRoadmapEnabled locale logoUrl name pid postCount
    tags url`),
  ChangelogEntry: words('author datePublished dateUpdated files id labels number posts reactions text title url'),
  ChangelogPayload: words('cursor hasMore nodes'),
  ChangelogPostsPayload: words('cursor hasMore nodes'),
  ChangelogReactionCount: words('count reaction'),
  Comment: words('dateCreated dateUpdated files id isFirst parent post reactions replies text type user'),
  CommentReactionCount: words('count reaction'),
  CommentsPayload: words('cursor hasMore nodes'),
  Field: words('description id label options type'),
  FieldOption: words('color id name'),
  File: words('contentType id name size url'),
  Post: words(`author board changelogEntries commentCount comments content dateCompleted dateCreated dateUpdated
    downvoteCount excerpt expected files id isLocked isPinned mergedInto mergedPosts number pid properties similar
    status statusId tags title unattributedUpvoteCount upvoteCount url user viewerVote`),
  PostCommentsPayload: words('chunkSize cursor hasMore nodes'),
  PostProperty: words('field id parent type values'),
  PostsPayload: words('cursor hasMore nodes totalCount'),
  RoadmapColumn: words('posts status'),
  SimilarPost: words('matched post score'),
  Status: words('color id isOnRoadmap name position posts type'),
  StatusPostsPayload: words('cursor hasMore nodes'),
  Tag: words('color id name postCount'),
  User: words('id image name'),
};

/** The arguments that they may have. Filters are not among them: they tell who has voted, and whose an address is. */
const publicArguments: readonly string[] = words('cursor id if limit number postId search sort text title');

function words(text: string): string[] {
  return text.split(/\s+/);
}

const TEXT = z.string().min(1);
const ID = z.string().min(1).max(MAX_ID);
/** As `@apollo/generate-persisted-query-manifest` writes them, or as Relay and GraphQL Code Generator do. */
const MANIFEST = z.union([
  z.object({ operations: z.array(z.object({ id: ID, body: TEXT })) }),
  z.record(ID, TEXT).transform((texts) => ({
    operations: Object.entries(texts).map(([id, body]) => ({ id, body })),
  })),
]);

/**
 * The documents of a text: a manifest of persisted documents, or GraphQL, where each operation is a document together with
 * its fragments; its ids are its name and the SHA-256 of its text.
 * @throws BAD_REQUEST naming what cannot be read
 */
export function readDocuments(source: string): RegisteredDocument[] {
  if (source.trim() === '') return [];
  const documents = /^\s*(\{\s*["}]|\[)/.test(source) ? readManifest(source) : split(source);
  if (documents.length === 0) throw invalid('it has no operation');
  if (documents.length > MAX_DOCUMENTS) throw badRequest(msg('documentsTooMany', MAX_DOCUMENTS), 'documents');
  const own = new Set(ownDocuments.flatMap(({ ids }) => ids));
  const known = new Set<string>();
  for (const id of documents.flatMap(({ ids }) => ids)) {
    if (own.has(id)) throw invalid(`${id} is a document of the vote button: choose another name`);
    if (known.has(id)) throw invalid(`${id} is in it twice`);
    known.add(id);
  }
  return documents;
}

function readManifest(source: string): RegisteredDocument[] {
  try {
    const { operations } = MANIFEST.parse(JSON.parse(source));
    return operations.map(({ id, body }) => ({ ids: [id], text: body }));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw badRequest(msg('documentsManifestInvalid'), 'documents');
  }
}

/** The operations of a GraphQL text, each with the fragments that it needs. */
function split(source: string): RegisteredDocument[] {
  const { definitions } = parseDocument(source, MAX_DOCUMENTS * MAX_TOKENS);
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  if (operations.length === 1) return [documentOf(operations[0], source)];
  return operations.map((operation) => {
    const needed = namesOfFragments(operation, fragments);
    const own = fragments.filter(({ name }) => needed.has(name.value));
    return documentOf(operation, print({ kind: Kind.DOCUMENT, definitions: [operation, ...own] }));
  });
}

/** A document of one operation, which may be sent without a name, or named by its hash with the end of a line or without. */
function documentOf(operation: OperationDefinitionNode | undefined, text: string): RegisteredDocument {
  return { ids: [...(operation?.name ? [operation.name.value] : []), sha256(text), sha256(`${text}\n`)], text };
}

function namesOfFragments(node: ASTNode, fragments: readonly FragmentDefinitionNode[], found = new Set<string>()) {
  visit(node, {
    FragmentSpread({ name: { value } }) {
      const fragment = fragments.find(({ name }) => name.value === value);
      if (!fragment || found.has(value)) return;
      found.add(value);
      namesOfFragments(fragment, fragments, found);
    },
  });
  return found;
}

/** The documents of a key that is stored: none if this version cannot read them. */
export function readStored(source: string): RegisteredDocument[] {
  try {
    return readDocuments(source);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** As `readStored`, without those that this version does not hold for public. */
export function readPublic(schema: GraphQLSchema, source: string): RegisteredDocument[] {
  return readStored(source).filter(({ ids, text }) => {
    try {
      requirePublic(schema, ids[0] ?? '', parseDocument(text, MAX_TOKENS));
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  });
}

/**
 * Refuses documents that a publishable key may not send, before they are stored.
 * @throws BAD_REQUEST naming the document and what is wrong with it
 */
export function requirePublicDocuments(schema: GraphQLSchema, source: string): void {
  for (const { ids, text } of readDocuments(source))
    requirePublic(schema, ids[0] ?? '', parseDocument(text, MAX_TOKENS));
}

function requirePublic(schema: GraphQLSchema, id: string, document: DocumentNode): void {
  const [problem] = validate(schema, document, undefined, { maxErrors: 1 });
  if (problem) throw refused(problem);
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      OperationDefinition({ operation }) {
        if (operation === 'subscription') throw badRequest(msg('documentsNoSubscriptions'), 'documents');
      },
      Argument({ name: { value } }) {
        if (publicArguments.includes(value)) return;
        const field = info.getFieldDef()?.name ?? '';
        throw badRequest(msg('documentsFieldRefused', `${field}(${value}:)`, id.slice(0, 20)), 'documents');
      },
      Field({ name: { value } }) {
        const type = info.getParentType()?.name ?? '';
        if (value === '__typename' || publicFields[type]?.includes(value)) return;
        throw badRequest(msg('documentsFieldRefused', `${type}.${value}`, id.slice(0, 20)), 'documents');
      },
    }),
  );
}

function parseDocument(source: string, maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxLexicalTokens: maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw refused(error);
    if (error instanceof RangeError) throw invalid('it is nested too deeply');
    throw error;
  }
}

function refused(error: GraphQLError) {
  const [place] = error.locations ?? [];
  return invalid(error.message.slice(0, 300) + (place ? ` (${place.line}:${place.column})` : ''));
}

function invalid(reason: string) {
  return badRequest(msg('documentsInvalid', reason), 'documents');
}

/** The documents by what clients may send in their place: the id, the SHA-256 of the text, or the text itself. */
export function indexDocuments(documents: readonly RegisteredDocument[]): ReadonlyMap<string, string> {
  return new Map(
    documents.flatMap(({ ids, text }) => [...ids, sha256(text), keyOfText(text)].map((id) => [id, text] as const)),
  );
}

/** By what a text is found among registered ones: they are equal but for white space and comments. */
export function keyOfText(text: string): string {
  return sha256(stripIgnoredCharacters(text));
}

/** What persisted documents are named by. */
function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
