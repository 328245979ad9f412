import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';

type LinkPageProps = {
  title: string;
  help: string;
  submit: string;
  /** The query of the URL that the form is sent to, if the link has one. */
  search?: string;
  /** The error of the link, once it was used. */
  answer: FormAnswer | undefined;
};

/** Where a link of a mail leads. The button consumes it, not the page: programs that check mail open every link. */
export function LinkPage({ title, help, submit, search, answer }: LinkPageProps) {
  const l = useLocale();
  return (
    <PlainPage title={title}>
      {answer ? (
        <>
          <p className="note" data-kind="error" role="alert">
            {answer.errors.token ?? answer.message}
          </p>
          <p>
            <Link to="/sign-in">{m.toSignIn(l)}</Link>
          </p>
        </>
      ) : (
        <PageForm answer={undefined} {...(search && { action: search })}>
          <p>{help}</p>
          <Submit>{submit}</Submit>
        </PageForm>
      )}
    </PlainPage>
  );
}
