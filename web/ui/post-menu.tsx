import { Link, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import type { FormPreview } from '../lib/post-preview.ts';
import type { PostPage } from '../routes/post.tsx';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from './form.tsx';
import { AudienceChoice, MailView, PreviewLanguage } from './notifying.tsx';

type MenuProps = { post: PostPage; answer: FormAnswer | undefined; preview?: FormPreview | null };

/** The forms of the menu that may come back, with something that is wrong or as a preview. */
const FORMS = ['status', 'tags', 'merge'];

/** The actions of a post's author and the team. */
export function PostMenu({ post, answer, preview = null }: MenuProps) {
  const l = useLocale();
  const { key } = useLocation();
  const { rights } = post;
  if (!rights.edit && !rights.remove) return null;
  return (
    <details className="menu" key={key} open={FORMS.includes(answer?.values.intent ?? '')}>
      <summary className="button">{m.manage(l)}</summary>
      <div className="menu-list post-menu stack">
        {rights.edit && <Link to="?edit=post">{m.edit(l)}</Link>}
        {rights.status && post.target === null && <StatusForm post={post} answer={answer} preview={preview} />}
        {rights.tags && post.allTags.length > 0 && <TagsForm post={post} answer={answer} />}
        {rights.lock && (
          <div className="row">
            <OneButton intent="lock">{post.closed === 'locked' ? m.unlock(l) : m.lock(l)}</OneButton>
            <OneButton intent="pin">{post.isPinned ? m.unpin(l) : m.pin(l)}</OneButton>
          </div>
        )}
        {rights.moderate && <ModerateForm post={post} />}
        {post.authorStanding && <StandingForm author={post.authorStanding} />}
        {rights.merge && <MergeForm post={post} answer={answer} />}
        {rights.remove && (
          <details className="confirm">
            <summary>{m.deleteIdea(l)}</summary>
            <PageForm answer={undefined} intent="delete" action="?">
              <Submit kind="danger">{m.reallyDelete(l)}</Submit>
            </PageForm>
          </details>
        )}
      </div>
    </details>
  );
}

function OneButton({ intent, children }: { intent: string; children: string }) {
  return (
    <PageForm answer={undefined} intent={intent} action="?">
      <Submit kind="plain">{children}</Submit>
    </PageForm>
  );
}

function StatusForm({ post, answer, preview }: MenuProps) {
  const l = useLocale();
  const mail = answer?.values.intent === 'status' ? preview?.mail : null;
  const options = Object.fromEntries(post.statuses.map(({ id, name }) => [id, name]));
  return (
    <PageForm answer={answer} intent="status" action="?">
      <Select name="status" label={m.status(l)} defaultValue={post.statusId} options={options} />
      <TextArea name="comment" label={m.statusMessage(l)} help={m.statusMessageHelp(l)} rows={2} />
      <input type="hidden" name="form" value="status" />
      {post.audiences && <AudienceChoice {...post.audiences.status} />}
      {mail && <MailView mail={mail} />}
      <PreviewLanguage locale={post.mailLocale} />
      <div className="row">
        <Submit>{m.changeStatus(l)}</Submit>
        <Submit kind="plain" name="intent" value="preview">
          {m.preview(l)}
        </Submit>
      </div>
    </PageForm>
  );
}

function TagsForm({ post, answer }: MenuProps) {
  const l = useLocale();
  const has = new Set(post.tags.map(({ id }) => id));
  return (
    <PageForm answer={answer} intent="tags" action="?">
      <fieldset>
        <legend>{m.tags(l)}</legend>
        {post.allTags.map(({ id, name }) => (
          <Checkbox key={id} name={`tag:${id}`} label={name} defaultChecked={has.has(id)} />
        ))}
      </fieldset>
      <Submit kind="plain">{m.changeTags(l)}</Submit>
    </PageForm>
  );
}

function ModerateForm({ post }: { post: PostPage }) {
  const l = useLocale();
  return (
    <PageForm answer={undefined} intent="moderate" action="?" className="row">
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

/** Trusts or blocks the author of a post, or neither. */
function StandingForm({ author }: { author: NonNullable<PostPage['authorStanding']> }) {
  const l = useLocale();
  const words = { TRUSTED: m.trustAuthor(l), BLOCKED: m.blockAuthor(l), NORMAL: m.normalAuthor(l) };
  const others = (['TRUSTED', 'BLOCKED', 'NORMAL'] as const).filter((standing) => standing !== author.standing);
  return (
    <PageForm answer={undefined} intent="standing" action="?" className="row">
      <input type="hidden" name="author" value={author.id} />
      {others.map((standing) => (
        <Submit key={standing} kind="plain" name="standing" value={standing}>
          {words[standing]}
        </Submit>
      ))}
    </PageForm>
  );
}

function MergeForm({ post, answer }: MenuProps) {
  const l = useLocale();
  if (post.target) return <OneButton intent="unmerge">{m.unmerge(l)}</OneButton>;
  return (
    <PageForm answer={answer} intent="merge" action="?">
      <TextField name="target" label={m.mergeTarget(l)} help={m.mergeHelp(l)} inputMode="numeric" required />
      {post.audiences && <AudienceChoice {...post.audiences.merge} />}
      <Submit kind="plain">{m.merge(l)}</Submit>
    </PageForm>
  );
}
