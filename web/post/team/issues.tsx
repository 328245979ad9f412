import * as m from '../../i18n/messages.ts';
import { PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { Picker } from '../../parts/show/picker.tsx';
import type { IssuesView } from '../view.ts';

const PICKER = 'pick-issue';

type IssuesProps = { issues: IssuesView; answer: FormAnswer | undefined };

/** The issues of an idea in the team's trackers, and what they ask the team to decide. */
export function Issues({ issues: { linked, trackers, asking }, answer }: IssuesProps) {
  const l = useLocale();
  return (
    <section aria-labelledby="issues">
      <div className="eyebrow">
        <h2 id="issues">{m.issues(l)}</h2>
      </div>
      {linked.length > 0 && (
        <ul className="stack">
          {linked.map((issue) => (
            <LinkedIssue key={issue.id} issue={issue} />
          ))}
        </ul>
      )}
      {asking && <Asking release={asking.release} />}
      {trackers.length > 0 && <LinkPicker trackers={trackers} answer={answer} />}
    </section>
  );
}

function LinkedIssue({
  issue: { id, url, label, title, state, release, failure },
}: {
  issue: IssuesView['linked'][number];
}) {
  const l = useLocale();
  const words = { OPEN: m.issueOpen(l), COMPLETED: m.issueCompleted(l), NOT_PLANNED: m.issueNotPlanned(l) };
  return (
    <li className="issue">
      <div className="eyebrow">
        {url ? (
          <span>
            <a href={url} rel="noopener noreferrer" target="_blank">
              <bdi>{label}</bdi>
            </a>
          </span>
        ) : (
          <span>
            <bdi>{label}</bdi>
          </span>
        )}
        <PageForm answer={undefined} intent="unlink-issue" action="?">
          <input type="hidden" name="id" value={id} />
          <button type="submit" className="icon-button" aria-label={m.unlinkIssue(l, { issue: label })}>
            <Icon name="x" />
          </button>
        </PageForm>
      </div>
      {title && (
        <span>
          <bdi>{title}</bdi>
        </span>
      )}
      <span className="small muted">
        {state ? words[state] : !failure && m.issueWaits(l)}
        {release && (
          <>
            {' · '}
            <bdi>{release}</bdi>
          </>
        )}
      </span>
      {failure && (
        <span className="small error">
          <bdi>{failure}</bdi>
        </span>
      )}
    </li>
  );
}

/** What follows from the end of an issue, for the team to decide. */
function Asking({ release }: { release: string | null }) {
  const l = useLocale();
  return (
    <div className="note stack">
      <p>{release ? m.issueReleased(l, { release }) : m.issueDone(l)}</p>
      <PageForm answer={undefined} intent="decide-issues" action="?" className="row">
        <Submit name="to" value="complete">
          {release ? m.completeAndDraft(l) : m.completeIdea(l)}
        </Submit>
        <Submit kind="plain" name="to" value="leave">
          {m.leaveIdea(l)}
        </Submit>
      </PageForm>
    </div>
  );
}

type LinkPickerProps = { trackers: IssuesView['trackers']; answer: FormAnswer | undefined };

function LinkPicker({ trackers, answer }: LinkPickerProps) {
  const l = useLocale();
  const intent = answer?.values.intent;
  const options = Object.fromEntries(trackers.map(({ id, name }) => [id, name]));
  const button = (
    <>
      <Icon name="link" />
      {m.linkIssue(l)}
    </>
  );
  return (
    <Picker
      id={PICKER}
      label={m.linkIssue(l)}
      button={button}
      className="button"
      isOpen={intent === 'link-issue' || intent === 'make-issue'}
    >
      <PageForm answer={answer} intent="link-issue" action="?">
        <TextField name="issue" label={m.issueAddress(l)} help={m.issueAddressHelp(l)} maxLength={2_000} required />
        <Submit>{m.linkIssue(l)}</Submit>
      </PageForm>
      <PageForm answer={answer} intent="make-issue" action="?">
        <Select name="tracker" label={m.issueNewIn(l)} options={options} />
        <Submit kind="plain">{m.makeIssue(l)}</Submit>
      </PageForm>
    </Picker>
  );
}
