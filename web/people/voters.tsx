import '../parts/styles/table.css';
import { Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { countUnattributed } from '#src/feedback/votes/unattributed.ts';
import { addVoteOf, listVoters, type Voter } from '#src/feedback/votes/voters.ts';
import { EVIDENCE_LENGTH } from '#src/feedback/votes/votes.ts';
import { may } from '#src/identity/users/authority.ts';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { usePrefix } from '../lib/prefix.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { formAction } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Older } from '../parts/show/older.tsx';
import { roleName } from '../parts/show/role.ts';
import { Table } from '../parts/show/table.tsx';
import { postPath } from '../posts/posts.ts';
import { attributesOf } from './person.ts';
import { requireVoters } from './voters.ts';
import { attributesText } from './words.ts';

const PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  const { context, post } = await requireVoters(args);
  const cursor = args.url.searchParams.get('after');
  const page = await orErrorPage(listVoters(context, post.id, { cursor, limit: PAGE }));
  return {
    title: post.title,
    path: postPath(post),
    number: post.number,
    votes: post.upvotes,
    unattributed: (await countUnattributed(context, [post.id])).get(post.id) ?? 0,
    mayAdd: may(context.actor, 'ask.for') && post.merged_into_id === null,
    evidenceLength: EVIDENCE_LENGTH,
    timeZone: context.actor.time_zone ?? context.board.time_zone,
    next: page.hasMore ? page.cursor : null,
    voters: page.nodes.map(viewVoter),
  };
}

function viewVoter({ vote, user, companies, addedBy }: Voter) {
  return {
    id: vote.id,
    type: vote.type,
    date: vote.date_created,
    addedBy,
    evidence: vote.evidence,
    userId: user?.id ?? null,
    name: user?.name ?? null,
    email: user?.email ?? null,
    role: user?.role ?? null,
    isAgent: user?.is_api_user === 1,
    companies: companies.map(({ name }) => name),
    attributes: attributesOf(user?.attributes ?? null),
  };
}

/** Adds the vote of a person who asked elsewhere, for example in a mail or a call. */
export const action = formAction(requireVoters, async ({ visit, context, post, form }) => {
  await addVoteOf(context, post.id, form.email ?? '', form.evidence?.trim() ?? '');
  throw redirect(reportDone(visit, `/b/${context.board.pid}/voters/${post.number}?done=saved`));
});

/** Who asked for an idea, for the team. */
export default function Voters() {
  const prefix = usePrefix();
  const { title, path, number, votes, unattributed, voters, next, mayAdd, evidenceLength } =
    useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  const base = `/b/${board?.pid}`;
  return (
    <main id="main" className="page stack sections">
      <title>{`${m.voters(l)} · ${title}`}</title>
      <div className="intro">
        <Link className="back" to={`${base}/${path}`}>
          <Icon name="arrow-left" flips />
          <bdi>{title}</bdi>
        </Link>
        <h1>{m.voters(l)}</h1>
        <p>{m.votersHelp(l, { votes: m.votes(l, { count: votes }) })}</p>
        {unattributed > 0 && <p>{m.unattributedVotes(l, { count: unattributed })}</p>}
        <p>
          <a href={`${prefix}${base}/voters/${number}/file`}>{m.votersFile(l)}</a>
        </p>
      </div>
      {voters.length === 0 ? <p className="empty">{m.noVotes(l)}</p> : <VoterTable />}
      <Older to={next && `?after=${encodeURIComponent(next)}`} />
      {mayAdd && (
        <section className="stack measure" aria-labelledby="add">
          <h2 id="add">{m.voteOnBehalf(l)}</h2>
          <PageForm answer={answer} key={voters.length}>
            <TextField name="email" type="email" label={m.email(l)} help={m.voteOnBehalfHelp(l)} required />
            <TextField name="evidence" label={m.evidence(l)} help={m.evidenceHelp(l)} maxLength={evidenceLength} />
            <Submit>{m.addVote(l)}</Submit>
          </PageForm>
        </section>
      )}
    </main>
  );
}

function VoterTable() {
  const { voters, timeZone } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  return (
    <Table
      rows={voters}
      keyOf={({ id }) => id}
      columns={[
        {
          name: m.person(l),
          cell: ({ userId, name }) =>
            userId === null ? (
              m.formerUser(l)
            ) : (
              <Link to={`/b/${board?.pid}/people/${userId}`} dir="auto">
                {name ?? m.nameless(l)}
              </Link>
            ),
        },
        { name: m.email(l), cell: ({ email }) => email ?? '–' },
        {
          name: m.companies(l),
          isEmpty: ({ companies }) => companies.length === 0,
          cell: ({ companies }) => <bdi>{companies.join(', ') || '–'}</bdi>,
        },
        { name: m.attributes(l), cell: ({ attributes }) => <bdi>{attributesText(attributes)}</bdi> },
        {
          name: m.origin(l),
          className: 'words',
          cell: ({ type, addedBy, isAgent, role, evidence }) => (
            <>
              {type === 'DOWN' && `${m.votedAgainst(l)} · `}
              {addedBy !== null
                ? m.addedBy(l, { name: addedBy || m.formerUser(l) })
                : isAgent
                  ? m.agent(l)
                  : role === null
                    ? '–'
                    : roleName(l, role)}
              {evidence !== null && <Evidence text={evidence} />}
            </>
          ),
        },
        {
          name: m.time(l),
          cell: ({ date }) => <time dateTime={new Date(date).toISOString()}>{formatDay(l, date, timeZone)}</time>,
        },
      ]}
    />
  );
}

/** Where someone asked for the idea: a link, or a few words. */
function Evidence({ text }: { text: string }) {
  return (
    <div className="small" dir="auto">
      {/^https?:\/\/\S+$/i.test(text) ? (
        <a href={text} rel="nofollow ugc noopener">
          {text}
        </a>
      ) : (
        text
      )}
    </div>
  );
}
