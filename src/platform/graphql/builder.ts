import SchemaBuilder from '@pothos/core';
import { GraphQLError, Kind, valueFromASTUntyped } from 'graphql';
import { parseInstant } from '../lib/instant.ts';
import type { Context } from './context.ts';

/** Registers types, fields and operations; each `*.graphql.ts` file adds those of its noun. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
    SSOTypes: { Input: string; Output: string };
  };
}>({ defaultFieldNullability: false });

/** Declares arguments: for functions that return arguments shared by several fields. */
export type ArgBuilder = Parameters<Exclude<Parameters<typeof builder.queryField>[1], never>>[0]['arg'];

builder.queryType({
  description:
    'Queries. Without an acting user, only board, viewer, rateLimit, listStatuses, listTags and listFields are allowed',
});
builder.mutationType({
  description: 'Mutations. The fields of a request run in order, and each can fail individually',
});

builder.subscriptionType({
  description: 'Subscriptions, over server-sent events (`Accept: text/event-stream`). They need an acting user',
});

/** Values of an enum, each with its description. */
export function describeValues<Name extends string>(
  descriptions: Record<Name, string>,
): Record<Name, { description: string }> {
  const entries = Object.entries<string>(descriptions).map(([name, description]) => [name, { description }]);
  return Object.fromEntries(entries) as Record<Name, { description: string }>;
}

/** For root fields that need no acting user; all others refuse a request without one. */
export const withoutActor = { withoutActor: true } as const;

builder.scalarType('DateTime', {
  description: 'ISO 8601 instant in UTC with milliseconds, for example 2026-11-21T09:30:00.000Z',
  serialize: (instant) => new Date(instant).toISOString(),
  parseValue: requireInstant,
});

builder.scalarType('JSON', {
  description: 'Any JSON value',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

builder.scalarType('SSOTypes', {
  description: `Name of a single sign-on integration. Accepts a string or an enum-like literal, so \`ssoType: SSO\`, \`ssoType: "okta"\` and a
variable declared \`$t: SSOTypes!\` are all valid. Well-known values: SSO, SSO_SAML, SSO_OIDC`,
  serialize: (name) => name,
  parseValue: parseSsoType,
  parseLiteral: (node) => parseSsoType(node.kind === Kind.STRING || node.kind === Kind.ENUM ? node.value : null),
});

function requireInstant(value: unknown): number {
  const instant = typeof value === 'string' ? parseInstant(value) : null;
  if (instant === null) {
    throw new GraphQLError(
      'DateTime must be an ISO 8601 instant with a time zone, for example 2026-11-21T09:30:00.000Z',
    );
  }
  return instant;
}

function parseSsoType(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new GraphQLError('SSOTypes must be the name of a single sign-on integration, for example SSO');
  }
  return value;
}
