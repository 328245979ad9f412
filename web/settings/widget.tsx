import './widget.css';
import { redirect, useActionData, useLoaderData } from 'react-router';
import { canonicalUrl } from '#src/identity/board/board.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { usePrefix } from '../lib/prefix.ts';
import { PageForm, Submit, TextArea } from '../parts/forms/form.tsx';
import { SaveBar } from '../parts/forms/settings-fields.tsx';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { Icon } from '../parts/show/icon.tsx';
import { PageTitle } from '../parts/show/page-title.tsx';
import { CodeBlock } from '../parts/team/code.tsx';

export const loader = memberLoader('board.edit', ({ visit, context }) => {
  const { pid, widget_origins } = context.board;
  // Visitors without a token see the widget in the language of the board.
  const locale = parseLocale(context.board.locale);
  return {
    origins: widget_origins.replaceAll(' ', '\n'),
    origin: visit.baseUrl,
    url: canonicalUrl(context.board, visit.baseUrl),
    preview: `/embed/b/${pid}`,
    locale,
    button: m.widgetButton(locale),
    direction: m.direction(locale),
  };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  await changeBoard(context, { widgetOrigins: form.widgetOrigins ?? '' });
  visit.keysChanged();
  throw redirect(withUndo(visit, `/b/${context.board.pid}/settings/widget?done=saved`));
});

/** On which sites the widget may appear, what they have to include, and how it looks. */
export default function Widget() {
  const prefix = usePrefix();
  const { origins, origin, url, preview, locale, button, direction } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.widget(l)}</PageTitle>
        <p className="muted">{m.widgetHelp(l)}</p>
      </div>
      <PageForm answer={answer} intent="save" isGuarded>
        <TextArea
          name="widgetOrigins"
          label={m.widgetOrigins(l)}
          help={m.widgetOriginsHelp(l)}
          defaultValue={origins}
          rows={4}
        />
        <SaveBar>
          <Submit>{m.save(l)}</Submit>
        </SaveBar>
      </PageForm>
      <section className="stack" aria-labelledby="snippets">
        <h2 id="snippets">{m.widgetSnippet(l)}</h2>
        <CodeBlock label={m.widgetPaste(l)} text={snippet(origin, url)} />
        <p className="muted">{m.widgetIdentifyHelp(l)}</p>
        <CodeBlock label={m.widgetIdentify(l)} text={IDENTIFY} />
      </section>
      <section className="stack" aria-labelledby="preview">
        <h2 id="preview">{m.widgetPreview(l)}</h2>
        <div className="widget-preview" lang={locale} dir={direction}>
          <iframe src={prefix + preview} title={m.widgetPreview(l)} loading="lazy" />
          <span className="widget-preview-close" aria-hidden="true">
            <Icon name="x" size={20} />
          </span>
          <span className="widget-preview-button" aria-hidden="true">
            <Icon name="message-circle" size={20} />
            {button}
          </span>
        </div>
      </section>
    </div>
  );
}

/** What a site includes. Calls before the script has loaded wait in the queue. */
function snippet(origin: string, url: string): string {
  return `<script>
  window.earshotQueue = window.earshotQueue || [];
  function earshot() { earshotQueue.push(arguments); }
  earshot('init', { url: '${url}' });
</script>
<script async src="${origin}/widget.js"></script>`;
}

const IDENTIFY = `earshot('identify', { jwt: '<JWT>' }, function (error) {
  if (error) console.warn(error);
});`;
