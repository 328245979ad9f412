import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { Radios } from '../parts/forms/settings-fields.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Picker } from '../parts/show/picker.tsx';

type PersonalDataProps = {
  person: { id: string; ideas: number; comments: number };
  answer: FormAnswer | undefined;
};

/** A copy of what is stored about the user, and its deletion, for those who ask for it. */
export function PersonalData({ person, answer }: PersonalDataProps) {
  const board = useBoard();
  const l = useLocale();
  const { ideas, comments } = person;
  return (
    <section className="stack danger" aria-labelledby="data">
      <h2 id="data">{m.personalData(l)}</h2>
      <p className="muted measure">{m.personCopyHelp(l)}</p>
      <div className="row">
        {/* The response is a file, which the browser saves. */}
        <Link className="button" to={`/b/${board?.pid}/people/${person.id}/file`} reloadDocument>
          {m.ownCopyStart(l)}
        </Link>
        <Picker id="pick-erase" label={m.erasePerson(l)} className="button bad" button={m.erasePerson(l)}>
          <PageForm answer={answer} intent="erase">
            <p>{m.erasePersonHelp(l)}</p>
            <Radios
              name="content"
              legend={m.erasePersonContent(l, { ideas, comments })}
              defaultValue="keep"
              options={{ keep: m.erasePersonKeep(l), delete: m.deleteAccountAll(l) }}
            />
            <Submit kind="danger">{m.erasePersonFinally(l)}</Submit>
          </PageForm>
        </Picker>
      </div>
    </section>
  );
}
