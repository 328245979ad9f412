import type { ObjectRef } from '@pothos/core';
import { PAGE_DEFAULT, PAGE_MAX, type Page } from '../lib/page.ts';
import { type ArgBuilder, builder } from './builder.ts';

/** Declares a part of a list of one type: `{nodes hasMore cursor}`. */
export function pageType<Row>(name: string, node: ObjectRef<typeof builder.$inferSchemaTypes, Row>, plural: string) {
  return builder.objectRef<Page<Row>>(name).implement({
    description: `One page of ${plural}`,
    fields: (t) => ({
      nodes: t.expose('nodes', { type: [node], description: `The ${plural} on this page` }),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether there is another page' }),
      cursor: t.exposeString('cursor', {
        nullable: true,
        description: 'Pass it as `cursor` to get the next page; null on the last one',
      }),
    }),
  });
}

/** Arguments of every list. */
export const pageArgs = (arg: ArgBuilder) => ({
  cursor: arg.string({ description: '`cursor` of the previous page' }),
  limit: arg.int({ description: `Page size, 1 to ${PAGE_MAX} (default ${PAGE_DEFAULT})` }),
});
