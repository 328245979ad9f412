import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Action, may } from '../../identity/users/authority.ts';
import type { Caller } from './caller.ts';

/** Something that an agent can do, with the right that it takes. */
export type Tool = {
  name: string;
  description: string;
  /** Null for what every key may do; `read` takes an acting user of any role. */
  right: Action | 'read' | null;
  /** Clients that act without asking do so for what only adds; what changes or takes away may notify people, too. */
  kind: 'read' | 'add' | 'change';
  /** Where its answers have texts that people wrote, see `mark`. */
  quotes: readonly string[];
  input: StandardSchemaWithJSON;
  run(caller: Caller, args: unknown): Promise<object>;
};

/** A tool with typed arguments: `run` gets them as `fields` describe them, and no others. */
export function defineTool<Fields extends z.ZodRawShape>({
  fields,
  run,
  ...rest
}: Omit<Tool, 'input' | 'run'> & {
  fields: Fields;
  run(caller: Caller, args: z.output<z.ZodObject<Fields>>): Promise<object>;
}): Tool {
  const schema = z.strictObject(fields);
  return { ...rest, input: inputOf(schema), run: (caller, args) => run(caller, args as z.output<z.ZodObject<Fields>>) };
}

/** Whether the caller may use a tool: the key's permission, and the right of the acting user. */
export function mayUse({ context }: Caller, { right, kind }: Tool): boolean {
  const { key, actor } = context;
  if (!key.permissions.has('READ') || (kind !== 'read' && !key.permissions.has('WRITE'))) return false;
  if (right === null) return true;
  return right === 'read' ? actor !== null : may(actor, right);
}

/** Arguments that several tools have. */
export const postRef = z.union([z.int(), z.string()]).describe('Number or id');
export const tagNames = z.array(z.string()).max(50);
export const dryRun = z.boolean().optional().describe('Only tell what would happen');

/** Mistakes that an answer lists, and the length of each in characters. */
const MAX_MISTAKES = 3;
const MAX_MISTAKE = 200;

/** The schema as the SDK takes it: short in the definitions, and in what it says of wrong arguments. */
function inputOf(schema: z.ZodObject): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return {
    '~standard': {
      version: 1,
      vendor: 'earshot',
      validate: (value) => {
        const parsed = schema.safeParse(value);
        return parsed.success
          ? { value: parsed.data }
          : { issues: parsed.error.issues.slice(0, MAX_MISTAKES).map(shorten) };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

function shorten({ message, path }: z.core.$ZodIssue) {
  return {
    message: message.slice(0, MAX_MISTAKE),
    path: path.slice(0, 3).map((part) => String(part).slice(0, MAX_MISTAKE)),
  };
}
