import { createHash } from 'node:crypto';
import { AppError, badRequest } from '../../platform/errors.ts';
import { parseDay, parseInstant, printDay } from '../../platform/lib/instant.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { requireText } from '../../platform/texts/text.ts';
import { type Field, type FieldType, isSelection } from './fields.ts';
import { findOption } from './options.ts';

const TEXT_CHARACTERS = 500;
const LONG_TEXT_CHARACTERS = 20_000;
const URL_CHARACTERS = 2_000;

/**
 * Values from outside as a field of this type stores them; empty ones are none.
 * @throws BAD_REQUEST naming the field and what it takes
 */
export function parseValues(field: Field, raw: readonly (string | null | undefined)[]): string[] {
  const given = raw.filter((value) => value != null && value.trim() !== '') as string[];
  const values = [...new Set(given.map((value) => parseValue(field, value)))];
  if (values.length <= 1 || field.type === 'SELECTION_MULTI') return values;
  throw wrong(msg('fieldTooManyValues', field.label, values.length));
}

/** One value as a field stores it. @throws BAD_REQUEST naming the field and what it takes */
export function parseValue(field: Field, raw: string): string {
  return parsers[field.type](field, raw);
}

const parsers: Record<FieldType, (field: Field, raw: string) => string> = {
  TEXT(field, raw) {
    const text = parseText(field, raw, TEXT_CHARACTERS);
    if (text.includes('\n')) throw wrong(msg('fieldNotOneLine', field.label));
    return text;
  },
  TEXT_LONG: (field, raw) => parseText(field, raw, LONG_TEXT_CHARACTERS),
  NUMBER(field, raw) {
    const [, sign, whole, fraction = ''] = /^([+-]?)(\d{1,20})(?:\.(\d{1,10}))?$/.exec(raw.trim()) ?? [];
    if (whole === undefined) {
      throw wrong(msg('fieldNotNumber', field.label));
    }
    const digits = `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`.replace(/\.$/, '');
    return sign === '-' && digits !== '0' ? `-${digits}` : digits;
  },
  DATE(field, raw) {
    const text = raw.trim();
    const instant = parseDay(text) ?? parseInstant(text);
    if (instant !== null) return printDay(instant);
    throw wrong(msg('fieldNotDate', field.label));
  },
  URL(field, raw) {
    const text = parseText(field, raw, URL_CHARACTERS);
    const url = /\s/.test(text) ? null : URL.parse(text);
    if (url && /^https?:$/.test(url.protocol)) return text;
    throw wrong(msg('fieldNotUrl', field.label));
  },
  CHECKBOX(field, raw) {
    const text = raw.trim().toLowerCase();
    if (text === 'true' || text === 'false') return text;
    throw wrong(msg('fieldNotBoolean', field.label));
  },
  SELECTION: parseOptionId,
  SELECTION_MULTI: parseOptionId,
};

function parseOptionId(field: Field, raw: string): string {
  const option = findOption(field.options, raw);
  if (option) return option.id;
  throw wrong(msg('fieldNotOption', field.label));
}

function parseText(field: Field, raw: string, max: number): string {
  try {
    return requireText(raw, { field: `The field "${field.label}"`, min: 1, max });
  } catch (error) {
    if (error instanceof AppError) error.extensions.field = 'properties';
    throw error;
  }
}

function wrong(message: LocalizedMessage) {
  return badRequest(message, 'properties');
}

/** The texts that people read for stored values: the names of options. */
export function namesOf(field: Field, values: readonly string[]): readonly string[] {
  if (!isSelection(field.type)) return values;
  return values.map((value) => field.options.find((option) => option.id === value)?.name ?? value);
}

/**
 * The index key of a value, of the same length for every value and ignoring case, because PostgreSQL's indexes do not
 * accept long texts.
 */
export function keyOfValue(field: Pick<Field, 'id' | 'type'>, value: string): string {
  const text = `${field.id} ${isSelection(field.type) ? value : value.toLowerCase()}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
