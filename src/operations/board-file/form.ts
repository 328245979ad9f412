import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { fieldTypes } from '../../feedback/fields/fields.ts';
import { accessKinds, approvals } from '../../identity/board/board.ts';
import type { BoardState } from '../../identity/settings/table.ts';
import { printable } from '../../platform/texts/text.ts';

/** Bytes of a file; that of a board with all it may have has some hundred thousand. */
export const MAX_FILE_BYTES = 1_048_576;
/** Values of a file, where an alias counts as what it stands for: aliases of aliases multiply. */
const MAX_VALUES = 20_000;
/** Problems that are told at once. */
const MAX_PROBLEMS = 20;

const color = z.string().nullable();
const visibility = z.enum(['PUBLIC', 'TEAM']);

/** Every setting of a board but what is for the pages alone, and what is not a matter of its file. */
type Kept = Exclude<keyof BoardState, 'isChecklistHidden' | 'isApiEnabled'>;

const settings = {
  name: z.string(),
  description: z.string(),
  pid: z.string(),
  domain: z.string(),
  brandColor: color,
  locale: z.string(),
  access: z.enum(accessKinds),
  approval: z.enum(approvals),
  mailDomains: z.string(),
  widgetOrigins: z.string(),
  postTemplate: z.string(),
  isMailInEnabled: z.boolean(),
  mailAddress: z.string(),
  isRoadmapEnabled: z.boolean(),
  isIndexed: z.boolean(),
} satisfies Record<Kept, z.ZodType>;

const status = z.strictObject({
  name: z.string(),
  color: z.string().optional(),
  /** Built-in ones are found by their type, custom ones by their name. */
  type: z.enum(['UNASSIGNED', 'COMPLETED', 'ARCHIVED', 'MERGED']).optional(),
  postVisibility: z.enum(['PUBLIC', 'TEAM', 'HIDDEN']).optional(),
  isOnRoadmap: z.boolean().optional(),
});

const tag = z.strictObject({ name: z.string(), color: color.optional(), isPrivate: z.boolean().optional() });

const field = z.strictObject({
  label: z.string(),
  type: z.enum(fieldTypes),
  description: z.string().nullable().optional(),
  visibility: visibility.optional(),
  isRequired: z.boolean().optional(),
  isOnForm: z.boolean().optional(),
  allowUrlPrefill: z.boolean().optional(),
  locations: z.array(z.string()).optional(),
  options: z.array(z.strictObject({ name: z.string(), color: color.optional() })).optional(),
});

const form = z.strictObject({
  earshot: z.literal(1),
  board: z.strictObject(settings).partial().optional(),
  statuses: z.array(status).max(50).optional(),
  tags: z.array(tag).max(1_000).optional(),
  fields: z.array(field).max(50).optional(),
});

/** The settings of a board as a file has them; what is left out stays as it is. */
export type BoardFile = z.infer<typeof form>;

/** The JSON schema of the file, for editors. */
export function schemaOfFile(): object {
  return z.toJSONSchema(form);
}

/** Reads a file in YAML, of which JSON is a part. @throws Error in words, with what is wrong and where */
export function parseBoardFile(text: string): BoardFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new Error('The file is longer than 1 MB');
  const value = loadYaml(text);
  countValues(value, { left: MAX_VALUES });
  const { data, error } = form.safeParse(value);
  if (data) return data;
  const problems = error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${String(part)}`)).join('');
    return printable(place === '' ? message : `${place.replace(/^\./, '')}: ${message}`, 300);
  });
  throw new Error(problems.join('\n'));
}

function loadYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    throw new Error(`The file is not YAML: ${printable((error as Error).message.split('\n')[0] ?? '', 300)}`);
  }
}

function countValues(value: unknown, count: { left: number }): void {
  if (--count.left < 0) throw new Error(`The file has over ${MAX_VALUES.toLocaleString('en')} values`);
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) countValues(each, count);
}
