import type { ObjectRef } from '@pothos/core';
import { PAGE_DEFAULT, PAGE_MAX, type Page } from '../lib/page.ts';
import { type ArgBuilder, builder } from './builder.ts';

/** Declares a part of a list of one type: `{nodes hasMore cursor}`. */
export function pageType<Row>(name: string, node: ObjectRef<typeof builder.$inferSchemaTypes, Row>) {
  return builder.objectRef<Page<Row>>(name).implement({
    fields: (t) => ({
      nodes: t.expose('nodes', { type: [node] }),
      hasMore: t.exposeBoolean('hasMore'),
      cursor: t.exposeString('cursor', {
        nullable: true,
        description: 'Pass it as `cursor` to get the next page; null on the last one',
      }),
    }),
  });
}

/** Arguments of every list. */
export const pageArgs = (arg: ArgBuilder) => ({
  cursor: arg.string({ description: 'Where to go on: the `cursor` of the page before' }),
  limit: arg.int({ description: `Rows on a page, from 1 to ${PAGE_MAX} (default ${PAGE_DEFAULT})` }),
});
