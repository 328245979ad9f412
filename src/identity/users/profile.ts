import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireMailAddress } from '../../platform/texts/email.ts';
import { requireLineOr, requireText, requireTextOr } from '../../platform/texts/text.ts';
import type { CompanyProfile } from '../companies/company.ts';

/** The profile of a user; omitted properties stay unchanged. */
export type Profile = {
  name?: string | null | undefined;
  email?: string | null | undefined;
  emailOnMention?: boolean | null | undefined;
  bio?: string | null | undefined;
  imageUrl?: string | null | undefined;
  isApiUser?: boolean | null | undefined;
  attributes?: unknown;
  /** All the companies that the user belongs to. */
  companies?: readonly CompanyProfile[] | null | undefined;
};

/** A profile as columns. @throws BAD_REQUEST naming the invalid argument */
export function parseProfile(profile: Profile) {
  const { name, email, emailOnMention, bio, imageUrl, isApiUser, attributes } = profile;
  return {
    ...(name !== undefined && parseName(name)),
    ...(email !== undefined && { email: email === null ? null : requireMailAddress(email) }),
    ...(emailOnMention != null && { email_on_mention: emailOnMention ? (1 as const) : (0 as const) }),
    ...(bio !== undefined && { bio: requireTextOr(bio, { field: 'bio', min: 0, max: 1_000 }) }),
    ...(imageUrl !== undefined && { image: imageUrl === null ? null : parseImageUrl(imageUrl) }),
    ...(isApiUser != null && { is_api_user: isApiUser ? (1 as const) : (0 as const) }),
    ...(attributes !== undefined && { attributes: parseAttributes(attributes) }),
  };
}

function parseName(raw: string | null) {
  const name = requireLineOr(raw, { field: 'name', min: 1, max: 100 });
  return { name, name_folded: name?.toLowerCase() ?? null };
}

function parseImageUrl(raw: string): string {
  const text = requireText(raw, { field: 'imageUrl', min: 1, max: 2_048 });
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw badRequest(msg('userImageInvalid'), 'imageUrl');
  }
  return text;
}

function parseAttributes(attributes: unknown): string | null {
  if (attributes === null) return null;
  const text = JSON.stringify(attributes);
  if (typeof attributes !== 'object' || Array.isArray(attributes) || text.length > 10_000) {
    throw badRequest(msg('userAttributesInvalid'), 'attributes');
  }
  return text;
}
