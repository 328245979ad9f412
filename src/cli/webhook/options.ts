import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventTypes } from '../../feedback/event-log/event-types.ts';
import { chosenKinds, type WebhookKind } from '../../webhooks/chat/kinds.ts';
import { webhookSecretMakers } from '../../webhooks/managing/managing.ts';
import { type BoardOptions, withBoardOptions } from '../terminal.ts';

/** `true` requests a generated secret. */
type Given = string | true;
/** The options that configure a webhook. */
export type ConfigOptions = BoardOptions & {
  url?: string;
  verifyToken?: Given;
  signingSecret?: Given;
  events?: string[];
  statuses?: string[] | 'all';
  tags?: string[] | 'all';
};

/** Adds those that configure a webhook. */
export function withConfigOptions(command: Command): Command {
  return withBoardOptions(command)
    .option('--verify-token [token]', 'sent with the verification request; generated if no value is given')
    .option('--signing-secret [secret]', 'signs deliveries; generated if no value is given')
    .option('--events <list>', `events to send (default: all): ${eventTypes.join(', ')}`, readList)
    .option(
      '--statuses <list>',
      'only events of posts with one of these statuses, by name or id; "all" for all',
      readFilter,
    )
    .option('--tags <list>', 'only events of posts with one of these tags; "all" for all', readFilter);
}

function readList(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

/** The library takes null from a parser for no value. */
function readFilter(list: string): string[] | 'all' {
  return list === 'all' ? list : readList(list);
}

/** The filters that were given. */
export function readFilters({ statuses, tags }: ConfigOptions) {
  const orNull = (names: string[] | 'all') => (names === 'all' ? null : names);
  return { ...(statuses && { statuses: orNull(statuses) }), ...(tags && { tags: orNull(tags) }) };
}

/** The option for the kind of a new webhook. */
export function makeKindOption(): Option {
  const kinds = chosenKinds.join(', ').toLowerCase();
  return new Option('--kind <kind>', `what to send (default: by the URL): ${kinds}`).argParser(requireKind);
}

function requireKind(name: string): WebhookKind {
  const kind = chosenKinds.find((each) => each.toLowerCase() === name);
  if (kind) return kind;
  throw new InvalidArgumentError(`It must be one of ${chosenKinds.join(', ').toLowerCase()}.`);
}

/** The secrets that were given, or generated. */
export function readSecrets({ verifyToken, signingSecret }: ConfigOptions) {
  const read = (name: keyof typeof webhookSecretMakers, given: Given) =>
    given === true ? webhookSecretMakers[name]() : given;
  return {
    ...(verifyToken !== undefined && { verifyToken: read('verifyToken', verifyToken) }),
    ...(signingSecret !== undefined && { signingSecret: read('signingSecret', signingSecret) }),
  };
}

/** Secrets generated here are shown this once; typed ones are not repeated. */
export function madeSecrets(
  options: ConfigOptions,
  secrets: ReturnType<typeof readSecrets>,
): ReturnType<typeof readSecrets> {
  return {
    ...(options.verifyToken === true && { verifyToken: secrets.verifyToken as string }),
    ...(options.signingSecret === true && { signingSecret: secrets.signingSecret as string }),
  };
}
