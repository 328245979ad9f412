import type { ChatMessage } from '#src/webhooks/chat/message.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Scrollable } from '../../parts/team/code.tsx';
import { layOutJson } from './json.ts';

/** A message as chats show it, and as it is sent. */
export type Example = { message: ChatMessage; body: string };

/** What a message to a chat looks like, more or less: each chat has its own colors and letters. */
export function ExampleMessage({ message: { language, heading, title, text, facts, footer }, body }: Example) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="preview">
      <h2 id="preview">{m.preview(l)}</h2>
      <p className="muted">{m.messageExample(l)}</p>
      <div className="card stack tight" lang={language} dir="auto">
        <p className="muted small">{heading}</p>
        {title && <p className="label">{title}</p>}
        {facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
        {text && <p>{text}</p>}
        <p className="muted small">{footer}</p>
      </div>
      <details className="fold">
        <summary>{m.bodySent(l)}</summary>
        <Scrollable text={layOutJson(body)} label={m.bodySent(l)} />
      </details>
    </section>
  );
}
