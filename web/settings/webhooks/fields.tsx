import { useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { Checkbox, GroupError, TextField } from '../../parts/forms/form.tsx';
import { Radios } from '../../parts/forms/settings-fields.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import type { Narrowings } from './webhooks.ts';

/** Whether a webhook sends events, or messages to a chat. What has no meaning for chats is hidden when one is chosen. */
export function KindField() {
  const l = useLocale();
  return (
    <Radios
      name="kind"
      legend={m.webhookKind(l)}
      defaultValue=""
      options={{
        '': m.kindAuto(l),
        PLAIN: m.kindPlain(l),
        SLACK: m.kindSlack(l),
        DISCORD: m.kindDiscord(l),
        TEAMS: m.kindTeams(l),
      }}
    />
  );
}

type EventsProps = { events: string[] | null; eventTypes: readonly string[]; chatEvents: readonly string[] };

/** Which events are sent. */
export function EventFields({ events, eventTypes, chatEvents }: EventsProps) {
  const l = useLocale();
  return (
    <Radios
      name="events"
      legend={m.events(l)}
      defaultValue={events === null ? 'all' : 'some'}
      options={{ all: m.eventsAll(l), some: m.eventsSome(l) }}
    >
      <div className="only-some">
        {eventTypes.map((type) => (
          <div key={type} className={chatEvents.includes(type) ? undefined : 'no-chat'}>
            <Checkbox name={`event:${type}`} label={type} defaultChecked={events === null || events.includes(type)} />
          </div>
        ))}
      </div>
      <GroupError name="events" />
    </Radios>
  );
}

type NarrowingProps = Narrowings & { statusIds?: string[] | null; tagIds?: string[] | null };

/** The statuses and tags of the ideas whose events are sent. */
export function Narrowing({ statuses, tags, statusIds = null, tagIds = null }: NarrowingProps) {
  const l = useLocale();
  const lists = [
    { prefix: 'status', legend: m.onlyStatuses(l), rows: statuses, ids: statusIds },
    { prefix: 'tag', legend: m.onlyTags(l), rows: tags, ids: tagIds },
  ];
  return lists.map(({ prefix, legend, rows, ids }) => (
    <details key={prefix} className="fold" open={ids !== null}>
      <summary>{legend}</summary>
      <fieldset>
        <legend className="muted small">{m.onlyHelp(l)}</legend>
        {rows.map(({ id, name }) => (
          <Checkbox key={id} name={`${prefix}:${id}`} label={name} defaultChecked={ids?.includes(id) ?? false} />
        ))}
      </fieldset>
    </details>
  ));
}

/** The new URL of a chat: the present one is a secret. */
export function ChatUrlField({ url }: { url: string }) {
  const l = useLocale();
  const rest = { type: 'url', maxLength: 2_048, autoComplete: 'off', spellCheck: false, defaultValue: '' } as const;
  return <TextField name="url" label={m.chatUrl(l)} help={m.chatUrlHelp(l)} placeholder={url} {...rest} />;
}

/** The URL; a warning about http appears while typing. */
export function UrlField({ url }: { url: string }) {
  const l = useLocale();
  const [typed, setTyped] = useState(url);
  // The page has already warned about the saved URL.
  const isOpen = typed !== url && /^\s*http:/i.test(typed);
  return (
    <div className="stack tight">
      <TextField
        name="url"
        type="url"
        label={m.endpointUrl(l)}
        help={m.endpointUrlHelp(l)}
        defaultValue={url}
        placeholder="https://example.com/webhook"
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        required
      />
      <p role="status" className="small">
        {isOpen && m.httpWarning(l)}
      </p>
    </div>
  );
}

type SecretProps = { name: 'signingSecret' | 'verifyToken'; defaultValue: 'make' | 'none' | 'keep' };

/** A secret: generated, typed, or none; for a webhook that has one, also the current one. */
export function SecretChoice({ name, defaultValue }: SecretProps) {
  const l = useLocale();
  const isToken = name === 'verifyToken';
  const label = isToken ? m.verifyToken(l) : m.signingSecret(l);
  const options = {
    ...(defaultValue === 'keep' && { keep: m.secretKeep(l) }),
    make: m.secretMake(l),
    own: m.secretOwn(l),
    none: m.secretNone(l),
  };
  return (
    <Radios
      name={`${name}How`}
      legend={label}
      help={isToken ? m.verifyTokenHelp(l) : m.signingSecretHelp(l)}
      defaultValue={defaultValue}
      options={options}
    >
      <div className="only-own">
        <TextField
          name={name}
          label={isToken ? m.verifyTokenOwn(l) : m.signingSecretOwn(l)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
        />
      </div>
    </Radios>
  );
}
