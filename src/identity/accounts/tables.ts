import type { Selectable } from 'kysely';

/** Someone who signs in; on each board, the same person is a row of `users`. */
type AccountTable = {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  image: string | null;
  is_email_verified: 0 | 1;
  is_second_factor_on: 0 | 1 | null;
  date_created: number;
  date_updated: number;
};

/** A way to sign in to an account: a password, or a provider. */
type CredentialTable = {
  id: string;
  account_id: string;
  provider: string;
  subject: string;
  /** Salt and scrypt key. */
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  date_access_expires: number | null;
  date_refresh_expires: number | null;
  scope: string | null;
  date_created: number;
  date_updated: number;
};

type SessionTable = {
  id: string;
  account_id: string;
  token: string;
  address: string | null;
  user_agent: string | null;
  date_created: number;
  date_updated: number;
  date_expires: number;
};

/** Outstanding one-time proofs: mailed links, sign-ins that wait for a code. */
type VerificationTable = {
  id: string;
  identifier: string;
  value: string;
  date_created: number;
  date_updated: number;
  date_expires: number;
};

type SecondFactorTable = {
  id: string;
  account_id: string;
  /** Encrypted with the session secret, like the codes. */
  secret: string;
  backup_codes: string;
  is_verified: 0 | 1 | null;
  failures: number | null;
  date_locked_until: number | null;
};

/** A passkey, which signs in at one domain. */
type PasskeyTable = {
  id: string;
  account_id: string;
  /** Its id, which the device has given it. */
  credential: string;
  domain: string;
  /** In Base64 for URLs, as COSE encodes it. */
  public_key: string;
  /** How often it has signed, if its device counts that. */
  counter: number;
  /** How browsers reach it, as JSON. */
  transports: string;
  /** Of the browser that has added it. */
  user_agent: string | null;
  date_created: number;
  date_used: number | null;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    accounts: AccountTable;
    credentials: CredentialTable;
    sessions: SessionTable;
    verifications: VerificationTable;
    second_factors: SecondFactorTable;
    passkeys: PasskeyTable;
  }
}

export type AccountRow = Selectable<AccountTable>;
export type SessionRow = Selectable<SessionTable>;
export type PasskeyRow = Selectable<PasskeyTable>;

/** What better-auth calls the tables and columns. */
export const names = {
  user: {
    modelName: 'accounts',
    fields: { emailVerified: 'is_email_verified', createdAt: 'date_created', updatedAt: 'date_updated' },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      providerId: 'provider',
      accountId: 'subject',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'date_access_expires',
      refreshTokenExpiresAt: 'date_refresh_expires',
      createdAt: 'date_created',
      updatedAt: 'date_updated',
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'account_id',
      ipAddress: 'address',
      userAgent: 'user_agent',
      createdAt: 'date_created',
      updatedAt: 'date_updated',
      expiresAt: 'date_expires',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { createdAt: 'date_created', updatedAt: 'date_updated', expiresAt: 'date_expires' },
  },
  secondFactor: {
    user: { fields: { twoFactorEnabled: 'is_second_factor_on' } },
    twoFactor: {
      modelName: 'second_factors',
      fields: {
        userId: 'account_id',
        backupCodes: 'backup_codes',
        verified: 'is_verified',
        failedVerificationCount: 'failures',
        lockedUntil: 'date_locked_until',
      },
    },
  },
} as const;
