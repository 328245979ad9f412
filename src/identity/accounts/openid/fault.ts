import { printable } from '../../../platform/texts/text.ts';

/**
 * Whether the provider could not be reached, or this one sign-in went wrong, such as a code that was used twice; else every
 * sign-in fails until something is changed.
 */
type FaultKind = 'unreachable' | 'once' | 'setup';

/**
 * Why a sign-in with an OpenID provider does not go on. Its message is for the log: it names what the operator has to change
 * here or at the provider.
 */
export class ProviderFault extends Error {
  readonly kind: FaultKind;

  constructor(message: string, { kind = 'setup', cause }: { kind?: FaultKind; cause?: unknown } = {}) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** What to change if a provider answers under another name than its discovery document has. */
export function describeIssuers(actual: string, issuer: string): string {
  return `the issuer is ${printable(actual, 200)}, but OIDC_ISSUER calls itself ${issuer}: set OIDC_ISSUER to the address of that issuer`;
}
