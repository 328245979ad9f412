import type { ObjectRef } from '@pothos/core';
import { PAGE_DEFAULT, PAGE_MAX, type Page, type PageArgs, requireLimit } from '../lib/page.ts';
import { type ArgBuilder, builder } from './builder.ts';

type SchemaTypes = typeof builder.$inferSchemaTypes;

/** Declares a part of a list of one type: `{nodes hasMore cursor}`. */
export function pageType<Row>(name: string, node: ObjectRef<SchemaTypes, Row>, plural: string) {
  return builder.objectRef<Page<Row>>(name).implement({
    description: `One page of ${plural}`,
    fields: (t) => pageFields(t, node, plural, (page) => page),
  });
}

/** The fields of a page, for types that have more fields than these. */
export function pageFields<Parent, Row>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Parent>,
  node: ObjectRef<SchemaTypes, Row>,
  plural: string,
  pageOf: (parent: Parent) => Page<Row>,
) {
  return {
    nodes: t.field({
      type: [node],
      description: `The ${plural} on this page`,
      resolve: (parent) => pageOf(parent).nodes as never,
    }),
    hasMore: t.boolean({
      description: 'Whether there is another page',
      resolve: (parent) => pageOf(parent).hasMore,
    }),
    cursor: t.string({
      nullable: true,
      description: 'Pass it as `cursor` to get the next page; null on the last one',
      resolve: (parent) => pageOf(parent).cursor,
    }),
  };
}

/** Arguments of every list. */
export const pageArgs = (arg: ArgBuilder) => ({
  cursor: arg.string({ description: '`cursor` of the previous page' }),
  limit: arg.int({ description: `Page size, 1 to ${PAGE_MAX} (default ${PAGE_DEFAULT})` }),
});

/** The values of `pageArgs` in a query. */
export type GivenPageArgs = { cursor?: string | null | undefined; limit?: number | null | undefined };

/** The page that a query requests. @throws BAD_REQUEST for an invalid page size */
export function pageOf({ cursor, limit }: GivenPageArgs): PageArgs {
  return { cursor: cursor ?? null, limit: requireLimit(limit) };
}
