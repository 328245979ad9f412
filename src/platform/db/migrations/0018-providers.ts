export const name = '0018-providers';

/** An index to find accounts by their owner's id at a provider. */
export function statements(): readonly string[] {
  return ['create unique index credentials_subject on credentials (provider, subject)'];
}
