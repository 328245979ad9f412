import { useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../lib/locale.ts';
import type { WebhookFields } from '../../lib/webhooks.ts';
import { Checkbox, GroupError, TextField } from '../form.tsx';
import { Radios } from '../more-fields.tsx';

type FieldsetProps = { fields: Pick<WebhookFields, 'url' | 'events'>; eventTypes: readonly string[] };

/** Where a webhook goes, and which events it is sent. */
export function WebhookFieldset({ fields: { url, events }, eventTypes }: FieldsetProps) {
  const l = useLocale();
  return (
    <>
      <UrlField url={url} />
      <Radios
        name="events"
        legend={m.events(l)}
        defaultValue={events === null ? 'all' : 'some'}
        options={{ all: m.eventsAll(l), some: m.eventsSome(l) }}
      >
        <div className="only-some">
          {eventTypes.map((type) => (
            <Checkbox
              key={type}
              name={`event:${type}`}
              label={type}
              defaultChecked={events === null || events.includes(type)}
            />
          ))}
        </div>
        <GroupError name="events" />
      </Radios>
    </>
  );
}

/** The URL; a warning about http appears while typing. */
function UrlField({ url }: { url: string }) {
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
