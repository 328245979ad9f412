export const name = '0018-providers';

/** Accounts are found by who their owner is at a provider. */
export function statements(): readonly string[] {
  return ['create unique index credentials_subject on credentials (provider, subject)'];
}
