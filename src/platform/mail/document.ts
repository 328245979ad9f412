/** A color in light and in dark mode. */
export type MailColor = { light: string; dark: string };

/** The branding of a mail: its header, the color of its buttons and links, and a soft one behind quotes. */
export type MailBrand = {
  name: string;
  url: string;
  logo: string | null;
  accent: MailColor;
  soft: MailColor;
};

/** The name of a status, in a color that is readable on its background. */
export type MailStatus = { name: string; ink: MailColor; ground: MailColor };

/** A part of a mail. Every text is plain, and is escaped where it becomes HTML. */
export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'small'; text: string }
  | { kind: 'heading'; text: string; url?: string }
  | { kind: 'item'; text: string; url: string }
  | { kind: 'status'; from: MailStatus | null; to: MailStatus }
  | { kind: 'quote'; by: string; role: string | null; text: string }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'button'; label: string; url: string };

export type MailLink = { label: string; url: string };

/** A mail, from which both its HTML and its text are generated. */
export type MailDocument = {
  /** The language of the texts, for example `de`. */
  language: string;
  brand: MailBrand;
  /** The subject, where it has a secret that the row of the mail and its list may not show; else that of the row. */
  subject?: string;
  /** What mail programs show after the subject; null to leave that to them. */
  preview: string | null;
  blocks: readonly MailBlock[];
  /** Why the recipient gets it, and what they can do about it. */
  footer: { lines: readonly string[]; links: readonly MailLink[] };
  /** Makes it a list mail from which the recipient can unsubscribe with one click (RFC 8058). */
  list: { id: string; unsubscribeUrl: string } | null;
  /** Whether an answer by mail becomes a comment, if the server takes mail. */
  takesReplies?: boolean;
};
