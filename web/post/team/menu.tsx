import { Fragment } from 'react';
import { Link, useSearchParams } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { Checkbox, PageForm, Select, Submit, TextArea } from '../../parts/forms/form.tsx';
import { Versions } from '../../parts/forms/versions.tsx';
import type { FormAnswer, FormPreview } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Avatar } from '../../parts/show/avatar.tsx';
import { Icon } from '../../parts/show/icon.tsx';
import { useNarrowing } from '../../parts/show/narrowing.tsx';
import { Onward } from '../../parts/show/onward.tsx';
import { PICKERS, Picker } from '../../parts/show/picker.tsx';
import { expectedName } from '../../posts/expected.ts';
import { IdeaFields } from '../../posts/idea-fields.tsx';
import { StatusChip } from '../../posts/status.tsx';
import type { PostPage } from '../page.ts';
import { MergeForm } from './merge-form.tsx';
import { AudienceChoice, MailView, PreviewLanguage } from './notifying.tsx';

type MenuProps = { post: PostPage; answer: FormAnswer | undefined };

/** Whether a form came back, with something that is wrong or as a preview. */
function isBack(answer: FormAnswer | undefined, intent: string): boolean {
  return answer?.values.intent === intent;
}

/** The status of a post, which the team changes here. */
export function StatusPicker({ post, answer, preview }: MenuProps & { preview: FormPreview | null }) {
  const l = useLocale();
  const button = (
    <>
      {post.status && <StatusChip status={post.status} />}
      <Icon name="chevron-down" />
    </>
  );
  const isOpen = isBack(answer, 'status');
  const name = post.status?.name ?? '';
  return (
    <Picker id={PICKERS.status} label={m.changeStatusFrom(l, { status: name })} button={button} isOpen={isOpen}>
      <StatusForm post={post} answer={answer} preview={preview} />
    </Picker>
  );
}

function StatusForm({ post, answer, preview }: MenuProps & { preview: FormPreview | null }) {
  const l = useLocale();
  const mail = isBack(answer, 'status') ? preview?.mail : null;
  const options = Object.fromEntries(post.statuses.map(({ id, name }) => [id, name]));
  const times = [['', m.notGiven(l)], ...post.expectable.map((text) => [text, expectedName(l, text)])];
  return (
    <PageForm answer={answer} intent="status" action="?">
      {/* What others change comes into the fields with its version; a message that is being typed stays. */}
      <Fragment key={`${post.statusId} ${post.expected}`}>
        <Versions of={post.statusVersions} labels={{ status: m.status(l), expected: m.expected(l) }} />
        <div className="pair">
          <Select name="status" label={m.status(l)} defaultValue={post.statusId} options={options} />
          <Select
            name="expected"
            label={m.expected(l)}
            defaultValue={post.expected ?? ''}
            options={Object.fromEntries(times)}
          />
        </div>
      </Fragment>
      <TextArea name="comment" label={m.statusMessage(l)} help={m.statusMessageHelp(l)} rows={3} />
      <input type="hidden" name="form" value="status" />
      {post.audiences && <AudienceChoice {...post.audiences.status} />}
      {mail && <MailView mail={mail} />}
      <PreviewLanguage locale={post.mailLocale} />
      <Onward />
      <div className="row">
        <Submit>{m.changeStatus(l)}</Submit>
        <Submit kind="plain" name="intent" value="preview">
          {m.preview(l)}
        </Submit>
      </div>
    </PageForm>
  );
}

/** The tags to choose from. */
export function TagsPicker({ post, answer }: MenuProps) {
  const l = useLocale();
  const has = new Set(post.tags.map(({ id }) => id));
  const { field, fits } = useNarrowing(post.allTags.map(({ name }) => name));
  return (
    <Picker
      id={PICKERS.tags}
      label={m.changeTags(l)}
      className="icon-button"
      button={<Icon name="plus" />}
      isOpen={isBack(answer, 'tags')}
    >
      <PageForm answer={answer} intent="tags" action="?">
        {field}
        <fieldset key={[...has].join()}>
          <legend>{m.tags(l)}</legend>
          <input type="hidden" name="had" value={[...has].join()} />
          {post.allTags.map(({ id, name }) => (
            <div key={id} hidden={!fits(name)}>
              <Checkbox name={`tag:${id}`} label={name} defaultChecked={has.has(id)} />
            </div>
          ))}
        </fieldset>
        <Submit>{m.changeTags(l)}</Submit>
      </PageForm>
    </Picker>
  );
}

/** The fields of the board, which the team and the author fill in. */
function FieldsPicker({ post, answer }: MenuProps) {
  const l = useLocale();
  const { fields = [], versions = {} } = post.panel.form ?? {};
  if (fields.length === 0) return null;
  const button = (
    <>
      <Icon name="pencil" />
      {m.fieldsOfIdea(l)}
    </>
  );
  const labels = Object.fromEntries(fields.map(({ id, label }) => [`field:${id}`, label]));
  return (
    <Picker
      id="pick-fields"
      label={m.fieldsOfIdea(l)}
      className="button"
      button={button}
      isOpen={isBack(answer, 'fields')}
    >
      <PageForm answer={answer} intent="fields" action="?">
        {/* What others change comes into the fields with its version. */}
        <Fragment key={Object.values(versions).join()}>
          <Versions of={versions} labels={labels} />
          <IdeaFields fields={fields} />
        </Fragment>
        <Submit>{m.save(l)}</Submit>
      </PageForm>
    </Picker>
  );
}

/** The team member who takes care of the post. */
export function AssigneePicker({ post, answer }: MenuProps) {
  const l = useLocale();
  const [first, ...others] = post.assignees;
  const names = new Intl.ListFormat(l).format(post.assignees.map(({ name }) => name));
  const button = (
    <>
      {first ? <Avatar {...first} isTeam size={24} /> : null}
      <bdi className={first ? undefined : 'muted'}>{first ? names : m.assignedToNoOne(l)}</bdi>
      <Icon name="chevron-down" />
    </>
  );
  const options = { '': m.assignedToNoOne(l), ...Object.fromEntries(post.team.map(({ id, name }) => [id, name])) };
  return (
    <Picker
      id={PICKERS.assignee}
      label={`${m.assignee(l)}: ${names || m.assignedToNoOne(l)}`}
      button={button}
      isOpen={isBack(answer, 'assign')}
    >
      <PageForm answer={answer} intent="assign" action="?">
        <Fragment key={names}>
          <Versions of={post.assigneeVersions} labels={{ assignee: m.assignee(l) }} />
          <Select
            name="assignee"
            label={m.assignee(l)}
            defaultValue={others.length > 0 ? '' : (first?.id ?? '')}
            options={options}
          />
        </Fragment>
        <Submit>{m.assign(l)}</Submit>
      </PageForm>
    </Picker>
  );
}

/** What else the author of a post and the team can do with it. */
export function PostTools({ post, answer }: MenuProps) {
  const l = useLocale();
  const { rights } = post;
  const [search] = useSearchParams();
  return (
    <section id={PICKERS.tools} aria-label={m.manage(l)}>
      <div className="tools">
        {rights.edit && (
          <Link className="button" to="?edit=post">
            <Icon name="pencil" />
            {m.edit(l)}
          </Link>
        )}
        <FieldsPicker post={post} answer={answer} />
        {rights.merge && post.target === null && (
          <Link className="button" to="?merge=" preventScrollReset aria-keyshortcuts="m">
            <Icon name="git-merge" />
            {m.mergeWith(l)}
          </Link>
        )}
        {rights.merge && post.target !== null && <OneButton intent="unmerge">{m.unmerge(l)}</OneButton>}
        {rights.lock && (
          <>
            <OneButton intent="pin" icon="pin" isOn={post.isPinned}>
              {post.isPinned ? m.unpin(l) : m.pin(l)}
            </OneButton>
            <OneButton intent="lock" icon="lock" isOn={post.closed === 'locked'}>
              {post.closed === 'locked' ? m.unlock(l) : m.lock(l)}
            </OneButton>
          </>
        )}
        {rights.moderate && <ModerateForm post={post} />}
        {rights.remove && <DeleteForm />}
      </div>
      {post.merge && search.has('merge') && <MergeForm post={post} merge={post.merge} answer={answer} />}
      {post.authorStanding && <StandingForm author={post.authorStanding} />}
    </section>
  );
}

type OneButtonProps = { intent: string; icon?: 'pin' | 'lock'; isOn?: boolean; children: string };

/** A form that switches something on or off, also when others have just done so. */
function OneButton({ intent, icon, isOn, children }: OneButtonProps) {
  return (
    <PageForm answer={undefined} intent={intent} action="?">
      {icon && <input type="hidden" name="to" value={isOn ? 'off' : 'on'} />}
      <button type="submit" className="button">
        <Icon name={icon ?? 'git-merge'} />
        {children}
      </button>
    </PageForm>
  );
}

function ModerateForm({ post }: { post: PostPage }) {
  const l = useLocale();
  return (
    <PageForm answer={undefined} intent="moderate" action="?" className="tools">
      {post.isHeld ? (
        <Submit name="moderationStatus" value="APPROVED">
          {m.approve(l)}
        </Submit>
      ) : (
        <Submit kind="plain" name="moderationStatus" value="PENDING">
          {m.holdBack(l)}
        </Submit>
      )}
      {!post.isRejected && (
        <Submit kind="plain" name="moderationStatus" value="REJECTED">
          {m.reject(l)}
        </Submit>
      )}
    </PageForm>
  );
}

/** Deletes the post, when asked twice. */
function DeleteForm() {
  const l = useLocale();
  const button = (
    <>
      <Icon name="trash" />
      {m.deleteIdea(l)}
    </>
  );
  return (
    <Picker id="pick-delete" label={m.deleteIdea(l)} className="button bad" button={button}>
      <PageForm answer={undefined} intent="delete" action="?">
        <p>{m.deleteIdeaHelp(l)}</p>
        <Onward />
        <Submit kind="danger">{m.reallyDelete(l)}</Submit>
      </PageForm>
    </Picker>
  );
}

/** Trusts or blocks the author of a post, or neither. */
function StandingForm({ author }: { author: NonNullable<PostPage['authorStanding']> }) {
  const l = useLocale();
  const words = { TRUSTED: m.trustAuthor(l), BLOCKED: m.blockAuthor(l), NORMAL: m.normalAuthor(l) };
  const others = (['TRUSTED', 'BLOCKED', 'NORMAL'] as const).filter((standing) => standing !== author.standing);
  return (
    <PageForm answer={undefined} intent="standing" action="?" className="tools">
      <input type="hidden" name="author" value={author.id} />
      {others.map((standing) => (
        <Submit key={standing} kind="plain" name="standing" value={standing}>
          {words[standing]}
        </Submit>
      ))}
    </PageForm>
  );
}
