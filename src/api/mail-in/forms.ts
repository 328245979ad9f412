import * as z from 'zod';
import type { Incoming } from '../../operations/mail-in/receiving.ts';
import { badRequest } from '../../platform/errors.ts';

/** Fields of a form, which is read before its signature: with the parts of the mail in it, where these stand in the body. */
const MAX_FIELDS = 2_100;

/** The fields of a form, urlencoded or with files; a file counts as its text. */
export async function readForm(type: string | undefined, body: Buffer): Promise<ReadonlyMap<string, string>> {
  const isMultipart = /^multipart\/form-data\b/i.test(type ?? '');
  const separator = isMultipart ? '\n--' : '&';
  if (body.toString('latin1').split(separator, MAX_FIELDS + 1).length > MAX_FIELDS)
    throw badRequest('The form has too many fields');
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type ?? '' } })
    .formData()
    .catch(() => {
      throw badRequest('The body must be a form');
    });
  const fields = new Map<string, string>();
  for (const [name, value] of form) fields.set(name, typeof value === 'string' ? value : await value.text());
  return fields;
}

const POSTMARK = z.object({ RawEmail: z.string().optional(), OriginalRecipient: z.string() });

/** What Postmark posts, see https://postmarkapp.com/developer/webhooks/inbound-webhook */
export function readPostmark(body: Buffer): { raw: string | undefined; to: string } {
  const { RawEmail: raw, OriginalRecipient: to } = parse(POSTMARK, body);
  return { raw, to };
}

const JSON_MAIL = z.object({
  to: z.string().max(254),
  from: z.string().max(254).nullish(),
  ip: z.union([z.ipv4(), z.ipv6()]).nullish(),
  helo: z.string().max(255).nullish(),
  raw: z.base64(),
});

/** A mail with its envelope as JSON. */
export function readJsonMail(body: Buffer): Incoming {
  const { to, from = null, ip = null, helo = null, raw } = parse(JSON_MAIL, body);
  return { raw: Buffer.from(raw, 'base64'), to, envelope: { sender: from, ip, helo } };
}

function parse<T>(form: z.ZodType<T>, body: Buffer): T {
  try {
    return form.parse(JSON.parse(body.toString()));
  } catch {
    throw badRequest('The body is no JSON of this form: see docs/capture.md');
  }
}
