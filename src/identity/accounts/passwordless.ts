import type { Auth, TokenTaker } from './auth.ts';

/** Runs something of better-auth for a caller, who gets its cookies. */
export type RunAuth = <T>(
  work: (auth: Auth, headers: Headers) => Promise<{ headers: Headers; response: T }>,
) => Promise<T>;

/**
 * Signs in the owner of an address, who has proved that it is theirs. If there is no account, one with this name is created,
 * without a password. No second factor is asked for, so callers must have checked that there is none.
 */
export async function signInOwner(run: RunAuth, email: string, name: string): Promise<void> {
  let token = '';
  const metadata: TokenTaker = {
    take(made) {
      token = made;
    },
  };
  const body = { email, name, metadata };
  await run((auth, headers) => auth.api.signInMagicLink({ body, headers, returnHeaders: true }));
  await run((auth, headers) => auth.api.magicLinkVerify({ query: { token }, headers, returnHeaders: true }));
}
