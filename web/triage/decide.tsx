import * as m from '../i18n/messages.ts';
import { PageForm } from '../parts/forms/form.tsx';
import { useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Onward } from '../parts/show/onward.tsx';
import { PICKERS, Picker } from '../parts/show/picker.tsx';
import type { PostPage } from '../post/page.ts';

/** What most ideas need in triage, each with its key. */
export function Decide({ post }: { post: PostPage }) {
  const l = useLocale();
  const { rights, target } = post;
  if (!rights.status || target !== null) return null;
  return (
    <section aria-labelledby="decide">
      <div className="eyebrow">
        <h2 id="decide">{m.triageDecide(l)}</h2>
      </div>
      <div className="decide">
        <DoneForm shortcut="e" />
        <button type="button" className="button" popoverTarget={PICKERS.status} aria-keyshortcuts="s">
          <Icon name="ring-quarter" />
          {m.status(l)}
        </button>
        {post.allTags.length > 0 && (
          <button type="button" className="button" popoverTarget={PICKERS.tags} aria-keyshortcuts="t">
            <Icon name="tag" />
            {m.tags(l)}
          </button>
        )}
        <button type="button" className="button" popoverTarget={PICKERS.assignee} aria-keyshortcuts="a">
          <Icon name="user-round" />
          {m.assign(l)}
        </button>
        <Snooze />
      </div>
    </section>
  );
}

/** Takes an idea from the waiting ones. */
export function DoneForm({ shortcut }: { shortcut?: string }) {
  const l = useLocale();
  return (
    <PageForm answer={undefined} intent="triage" action="?">
      <Onward />
      <button type="submit" className="button" name="days" value="" aria-keyshortcuts={shortcut}>
        <Icon name="check" />
        {m.triageDone(l)}
      </button>
    </PageForm>
  );
}

/** Puts an idea off for some days, or until someone writes about it. */
function Snooze() {
  const l = useLocale();
  const choices = { 1: m.snoozeDay(l), 7: m.snoozeWeek(l), 30: m.snoozeMonth(l) };
  const button = (
    <>
      <Icon name="clock" />
      {m.snooze(l)}
    </>
  );
  return (
    <Picker id="pick-snooze" label={m.snooze(l)} className="button" button={button} shortcut="z">
      <PageForm answer={undefined} intent="triage" action="?">
        <Onward />
        <p className="muted small">{m.snoozeHelp(l)}</p>
        {Object.entries(choices).map(([days, words]) => (
          <button key={days} type="submit" className="button" name="days" value={days}>
            {words}
          </button>
        ))}
      </PageForm>
    </Picker>
  );
}
