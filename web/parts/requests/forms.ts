import { data } from 'react-router';
import type { ErrorCode } from '#src/platform/errors.ts';
import type { MailPreview } from '#src/platform/mail/preview.ts';
import { keptFields } from '../../lib/kept-fields.ts';
import { isFailure, retryHeaders, wordsOf } from './failure.ts';

/** The result of a form that was not accepted: what was typed, and what is wrong with it. */
export type FormAnswer = {
  /** Errors by the name of the field. */
  errors: Record<string, string>;
  /** The error of the form as a whole. */
  message: string | null;
  values: Record<string, string>;
  /** Whether the server did not answer, so that it can be sent again, see `useResend`. */
  isUnanswered?: true;
  /** What the form would do, if that was asked for. */
  preview?: FormPreview;
  /** What others have saved in fields that the user has changed, by name, and the versions of all fields that there are now. */
  theirs?: { values: Record<string, string>; versions: Record<string, string> };
};

/** What a form would bring about: how its text looks, and the mail that tells of the change. */
export type FormPreview = { html: string | null; mail: MailPreview | null };

/** The texts of a form; of several with one name the last counts. @throws an error page if the form is broken */
export async function readForm(request: Request): Promise<Record<string, string>> {
  return textsOf(await parseForm(request));
}

/** The texts of a form, and the file of this name; null when none was chosen. */
export async function readFormWithFile(request: Request, name: string) {
  const { form, files } = await readFormWithFiles(request, name);
  return { form, file: files[0] ?? null };
}

/** The texts of a form, and the files of this name that were chosen. */
export async function readFormWithFiles(request: Request, name: string) {
  const form = await parseForm(request);
  const files = form.getAll(name).filter((file) => file instanceof File && file.size > 0) as File[];
  return { form: textsOf(form), files };
}

/** The texts of a form, and all of those with this name. */
export async function readFormWithTexts(request: Request, name: string) {
  const form = await parseForm(request);
  return { form: textsOf(form), texts: form.getAll(name).filter((text) => typeof text === 'string') };
}

function parseForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw new Response(null, { status: 400 });
  });
}

function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The value of a name from a form; undefined for unknown names, and for those that every object has. */
export function ownOf<T extends object>(values: T, name: string): T[keyof T] | undefined {
  return Object.hasOwn(values, name) ? values[name as keyof T] : undefined;
}

const STATUS: Partial<Record<ErrorCode, number>> = { RATE_LIMIT_EXCEEDED: 429, FORBIDDEN: 403 };

/**
 * Runs the action of a form. Refusals by features become a result that keeps the input; internal errors are rethrown.
 */
export async function orFormAnswer<T>(values: Record<string, string>, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code, field } = error.extensions;
    const answer = answerForm(values, wordsOf(error), field);
    const status = STATUS[code] ?? 422;
    return data(answer, { status, headers: retryHeaders(error) });
  }
}

/** The result of a form that failed: with what was typed, except secrets. */
export function answerForm(values: Record<string, string>, words: string, field?: string): FormAnswer {
  return {
    errors: field ? { [field]: words } : {},
    message: field ? null : words,
    values: Object.fromEntries(keptFields(values)),
  };
}

/** The form result in the data of an action, if it is one. */
export function formAnswerOf(result: unknown): FormAnswer | undefined {
  return typeof result === 'object' && result !== null && 'errors' in result ? (result as FormAnswer) : undefined;
}
