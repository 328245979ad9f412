import { data } from 'react-router';
import type { ErrorCode } from '../../src/errors.ts';
import { isFailure, wordsOf } from './failure.ts';

/** What a form that was not accepted comes back with: what was typed, and what is wrong with it. */
export type FormAnswer = {
  /** What is wrong, by the name of the field. */
  errors: Record<string, string>;
  /** What is wrong with the whole. */
  message: string | null;
  values: Record<string, string>;
};

/** The texts of a form; of several with one name the last counts. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  return textsOf(await request.formData());
}

/** The texts of a form, and the file of this name; null when none was chosen. */
export async function readFormWithFile(request: Request, name: string) {
  const form = await request.formData();
  const file = form.get(name);
  return { form: textsOf(form), file: file instanceof File && file.size > 0 ? file : null };
}

function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Fields that are never sent back into a page. */
export const SECRET_FIELD = /password|^(code|token)$/i;

const STATUS: Partial<Record<ErrorCode, number>> = { RATE_LIMIT_EXCEEDED: 429, FORBIDDEN: 403 };

/**
 * Runs what a form asks for. What the features refuse becomes an answer that keeps the input; faults of ours go on.
 */
export async function orFormAnswer<T>(values: Record<string, string>, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code, field, retryAfter } = error.extensions;
    const words = wordsOf(error);
    const answer: FormAnswer = {
      errors: field ? { [field]: words } : {},
      message: field ? null : words,
      values: Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET_FIELD.test(name))),
    };
    const status = STATUS[code] ?? 422;
    return data(answer, { status, ...(retryAfter && { headers: { 'retry-after': String(retryAfter) } }) });
  }
}

/** The answer in what an action gave, if it is one. */
export function formAnswerOf(result: unknown): FormAnswer | undefined {
  return typeof result === 'object' && result !== null && 'errors' in result ? (result as FormAnswer) : undefined;
}
