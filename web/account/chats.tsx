import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';

type ChatsProps = { chats: { identity: string; name: string; place: string }[]; answer: FormAnswer | undefined };

/** Lists who may act as the user in chats, each with a button that ends it; nothing if there is no one. */
export function Chats({ chats, answer }: ChatsProps) {
  const l = useLocale();
  if (chats.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="chats">
      <h2 id="chats">{m.chatAccounts(l)}</h2>
      <ul className="rows">
        {chats.map(({ identity, name, place }) => (
          <li key={identity} className="row-item">
            <span>
              <bdi>{name}</bdi> <bdi className="muted small">{place}</bdi>
            </span>
            <PageForm answer={answer} intent="chat" className="inline">
              <input type="hidden" name="id" value={identity} />
              <Submit kind="plain">{m.chatDisconnect(l)}</Submit>
            </PageForm>
          </li>
        ))}
      </ul>
    </section>
  );
}
