import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import { changelogLabels, ENTRY_TEXT, ENTRY_TITLE, type EntryRow, entryPath } from '#src/feedback/changelog/entries.ts';
import { requireEntryPreview } from '#src/feedback/changelog/preview.ts';
import { publishEntry, requireTime } from '#src/feedback/changelog/publishing.ts';
import { countSubscribers } from '#src/feedback/changelog/subscribers.ts';
import { createEntry, updateEntry } from '#src/feedback/changelog/writing.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { type PublishingPlan, planPublishing } from '#src/feedback/releasing/releasing.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { requireFiles } from '#src/pages/form-body.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import type { Visit } from '#src/pages/visit.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import { type FormAnswer, orFormAnswer, readFormWithFile } from '../parts/requests/forms.ts';
import { countChange } from '../parts/requests/joining.ts';
import { requireMember } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { takeFile } from '../parts/requests/uploads.ts';
import { compareForm } from '../parts/requests/versions.ts';
import { cleanWords, findIdeas, findNumbered } from '../posts/find-ideas.ts';

/** Ideas that a search of the form shows. */
const FOUND = 8;

type Form = Record<string, string>;
type Member = { visit: Visit; context: ActorContext };

/** What every form for an entry needs: limits, and an id so that sending it twice makes one entry. */
export async function describeEntryForm({ db, actor, board }: ActorContext) {
  return {
    formId: makeId(),
    lengths: { title: ENTRY_TITLE.max, text: ENTRY_TEXT.max },
    zone: actor.time_zone ?? board.time_zone,
    /** How many get the changelog by mail. */
    subscribers: await countSubscribers(db.read, board.id),
  };
}

/**
 * Does what a form for an entry asks for: looks for ideas, shows a preview, saves, publishes or schedules.
 * @param entry the one that is changed; null for a new one
 */
export async function handleEntryForm(args: LoaderFunctionArgs, entry: EntryRow | null) {
  const member = await requireMember(args, 'changelog.edit');
  const { form, file } = await readFormWithFile(args.request, 'file');
  return orFormAnswer(form, async () => {
    await countChange(member);
    requireFiles(form, 'file');
    const values = { ...form, ...(await keepFileOf(member, file)) };
    if (isSearch(form)) return answerWith(await offerIdeas(member, values));
    if (form.intent === 'preview') return answerWith(values, await preview(member, form));
    const current: Form = entry ? { title: entry.title, text: entry.text } : {};
    const { changed, conflict } = compareForm(values, current);
    if (conflict) return data(conflict, 409);
    const others = Object.entries(current).filter(([name]) => !changed.has(name));
    throw redirect(withUndo(member.visit, await save(member, { ...values, ...Object.fromEntries(others) }, entry)));
  });
}

/** Whether ideas are looked for: with the button, or with Return after new words were typed into its field. */
function isSearch({ intent, find = '', found = '' }: Form): boolean {
  return intent === 'find' || (intent === 'enter' && find.trim() !== '' && find !== found);
}

/** What the form comes back with when it is not sent yet: a preview, or ideas that were looked for. */
function answerWith(values: Form, html: string | null = null): FormAnswer {
  return { errors: {}, message: null, values, preview: { html, mail: null } };
}

/** The fields by which the form keeps a file that came with it. */
async function keepFileOf(member: Member, file: File | null): Promise<Form> {
  if (!file) return {};
  const { id, name } = await takeFile(member, file);
  return { [`file:${id}`]: 'on', [`file-name:${id}`]: name };
}

async function preview({ visit, context }: Member, { text = '' }: Form): Promise<string> {
  return renderMarkdown(await requireEntryPreview(context, text, visit.address));
}

/** The form with the ideas that fit what was looked for; the one with a number is chosen at once. */
async function offerIdeas(member: Member, { find = '', found: _, ...form }: Form): Promise<Form> {
  const words = cleanWords(find);
  const numbered = await findNumbered(member, words);
  if (numbered) return { ...form, ...nameIdea(numbered), [`post:${numbered.id}`]: 'on' };
  const open = (await findIdeas(member, words, FOUND)).filter(({ merged_into_id }) => merged_into_id === null);
  const kept = Object.entries(form).filter(([name]) => !isUnchosen(name, form));
  return Object.assign({ find, found: find }, ...open.map(nameIdea), Object.fromEntries(kept));
}

/** In a form, an idea to choose: its name is kept with it, so that the form can be shown again. */
export function nameIdea({ id, number, title }: Pick<PostRow, 'id' | 'number' | 'title'>): Form {
  return { [`post-name:${id}`]: `#${number} ${title}` };
}

function isUnchosen(name: string, form: Form): boolean {
  const [, id] = /^post-name:(.*)$/.exec(name) ?? [];
  return id !== undefined && form[`post:${id}`] !== 'on';
}

/** Saves the entry, and publishes it if that is asked for. @returns where to go on */
async function save({ context }: Member, form: Form, entry: EntryRow | null): Promise<string> {
  const { title = '', text = '', formId = '', intent } = form;
  const at = intent === 'schedule' ? requireTime(context, form.at ?? '') : null;
  const content = {
    title,
    text,
    labels: changelogLabels.filter((label) => form[`label:${label}`] === 'on'),
    postIds: chosen(form, 'post'),
    files: chosen(form, 'file'),
  };
  const id = isId(formId) ? deriveId(formId, title, text) : makeId();
  const saved = entry ? await updateEntry(context, entry.id, content) : await createEntry(context, { id, ...content });
  // What else publishing does is asked on the page of the entry.
  const isAsked =
    intent === 'publish' && saved.date_published === null && doesMore(await planPublishing(context, saved));
  const isPublishing = (intent === 'publish' && !isAsked) || intent === 'schedule';
  if (isPublishing) await publishEntry(context, saved.id, at);
  const done = isPublishing ? (at === null ? 'published' : 'scheduled') : 'saved';
  return `/b/${context.board.pid}/${entryPath(saved)}?done=${done}`;
}

function doesMore({ open, mailed }: PublishingPlan): boolean {
  return open.length > 0 || mailed > 0;
}

/** The ids of what is checked in a form. */
function chosen(form: Form, kind: 'post' | 'file'): string[] {
  const names = Object.keys(form).filter((name) => form[name] === 'on');
  return names.flatMap((name) => (name.startsWith(`${kind}:`) ? name.slice(kind.length + 1) : []));
}
