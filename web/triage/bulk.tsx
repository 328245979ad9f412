import './bulk.css';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { IconName } from '../icons/compile.ts';
import { PageForm } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { useNarrowing } from '../parts/show/narrowing.tsx';
import { Picker } from '../parts/show/picker.tsx';
import { filterOf, withQuery } from '../posts/team/query.ts';
import type { TriagePage } from './triage.ts';

/** The form that the boxes of the ideas belong to. */
export const BULK = 'bulk';

type BulkBarProps = {
  page: TriagePage;
  count: number;
  home: string;
  answer: FormAnswer | undefined;
  onClear: () => void;
};

/** What can be done with the chosen ideas at once; styles show it while one is chosen. */
export function BulkBar({ page, count, home, answer, onClear }: BulkBarProps) {
  const l = useLocale();
  const { pathname } = useLocation();
  const { statuses, tags, team } = page;
  const people = [...team, { id: '', name: m.assignedToNoOne(l) }];
  return (
    <PageForm id={BULK} answer={answer} action={home} className="bulk" aria-label={m.bulkChosen(l)} onReset={onClear}>
      <input type="hidden" name="next" value={withQuery(pathname, filterOf(page.desk))} />
      <b role="status">{count > 0 && m.bulkCount(l, { count })}</b>
      <button type="reset" className="icon-button" aria-label={m.bulkClear(l)} title={m.bulkClear(l)}>
        <Icon name="x" />
      </button>
      <Choice name="status" icon="ring-quarter" words={m.status(l)} choices={statuses} />
      {tags.length > 0 && <Choice name="tag" icon="tag" words={m.bulkTag(l)} choices={tags} />}
      <Choice name="assign" icon="user-round" words={m.assign(l)} choices={people} />
      <One action="triage" icon="check" words={m.triageDone(l)} />
      <One
        action="merge"
        icon="git-merge"
        words={m.merge(l)}
        description={m.mergeTheseHelp(l)}
        isDisabled={count === 1}
      />
      <Picker
        id="bulk-delete"
        label={m.bulkDelete(l)}
        className="icon-button"
        button={<Content icon="trash" words={m.deleteComment(l)} />}
      >
        <p>{m.deleteIdeaHelp(l)}</p>
        <button type="submit" name="do" value="delete" className="button bad">
          {m.reallyDelete(l)}
        </button>
      </Picker>
    </PageForm>
  );
}

type ChoiceProps = {
  name: string;
  icon: IconName;
  words: string;
  choices: readonly { id: string; name: string }[];
};

/** A menu of what the chosen ideas can be given. */
function Choice({ name, icon, words, choices }: ChoiceProps) {
  const { field, fits } = useNarrowing(choices.map((choice) => choice.name));
  return (
    <Picker id={`bulk-${name}`} label={words} className="icon-button" button={<Content icon={icon} words={words} />}>
      {field}
      {choices.map((choice) => (
        <div key={choice.id} hidden={!fits(choice.name)}>
          <button type="submit" name="do" value={`${name}:${choice.id}`} className="menu-item">
            <bdi>{choice.name}</bdi>
          </button>
        </div>
      ))}
    </Picker>
  );
}

type OneProps = { action: string; icon: IconName; words: string; description?: string; isDisabled?: boolean };

function One({ action, icon, words, description = words, isDisabled = false }: OneProps): ReactNode {
  return (
    <button
      type="submit"
      name="do"
      value={action}
      className="icon-button"
      aria-label={description}
      title={description}
      disabled={isDisabled}
    >
      <Content icon={icon} words={words} />
    </button>
  );
}

/** What a button of the bar shows: styles leave out the words where there is no room. */
function Content({ icon, words }: { icon: IconName; words: string }) {
  return (
    <>
      <Icon name={icon} />
      <span>{words}</span>
    </>
  );
}
