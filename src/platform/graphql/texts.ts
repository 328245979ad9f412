import {
  type ASTVisitor,
  type EnumValueNode,
  GraphQLError,
  type StringValueNode,
  type ValidationContext,
} from 'graphql';
import { badRequest } from '../errors.ts';
import type { Variables } from './variables.ts';

/**
 * The longest text in a request, in UTF-16 units. Arguments have far lower limits, which are checked with them; this
 * one applies to all, so that no resolver gets a text that is costly before it is refused.
 */
const MAX_TEXT_UNITS = 100_000;

/** A validation rule: no text in a document exceeds the maximum length. */
export function ShortTextsRule(context: ValidationContext): ASTVisitor {
  const check = (node: StringValueNode | EnumValueNode) => {
    if (node.value.length > MAX_TEXT_UNITS)
      context.reportError(new GraphQLError(tooLong('A text', node.value), { nodes: node }));
  };
  return { StringValue: check, EnumValue: check };
}

/** The error for an overlong text anywhere in the variables of an operation; null if all are short enough. */
export function findLongText(variables: Variables, names: readonly string[]): GraphQLError | null {
  for (const name of names) {
    const values: unknown[] = [variables[name]];
    while (values.length > 0) {
      const value = values.pop();
      if (typeof value === 'string' && value.length > MAX_TEXT_UNITS) {
        const error = badRequest(tooLong(`$${name}`, value), name);
        return new GraphQLError(error.message, { originalError: error });
      }
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) values.push(inner);
    }
  }
  return null;
}

function tooLong(what: string, { length }: string): string {
  const [has, most] = [length, MAX_TEXT_UNITS].map((count) => count.toLocaleString('en'));
  return `${what} has ${has} characters; no text may have more than ${most}`;
}
