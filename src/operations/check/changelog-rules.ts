import { sql } from 'kysely';
import { hasWholeLog, type Mismatch, none, ofBoard, ofEach, type Rule } from './rule.ts';

/** How many users react to each changelog entry in one way. */
function reactions(reaction: string): Rule {
  const rows = sql`changelog_reactions r where r.reaction = ${reaction}`;
  const column = sql.ref(`t.${reaction.toLowerCase()}_count`);
  return ofEach(`changelog_entries count ${reaction}`, 'changelog_entries', column, 'entry_id', rows);
}

/** What always holds of the changelog. */
export const changelogRules: readonly Rule[] = [
  ...['THUMBS_UP', 'HEART', 'PARTY', 'EYES'].map(reactions),
  ofBoard(
    'boards.changelog_count',
    sql`b.changelog_count`,
    sql`count(*)`,
    'changelog_entries',
    sql`date_published is not null`,
  ),
  {
    rule: 'a published entry was announced once more than it was withdrawn, others as often',
    mismatches: sql<Mismatch>`
      select t.id, case when t.date_published is null then 0 else 1 end as stored, coalesce(e.n, 0) as counted
      from changelog_entries t
      left join (
        select board_id, entry_id, sum(case when type = 'changelog.published' then 1 else -1 end) as n
        from events where entry_id is not null group by board_id, entry_id
      ) e on e.board_id = t.board_id and e.entry_id = t.id
      where case when t.date_published is null then 0 else 1 end <> coalesce(e.n, 0) and ${hasWholeLog}`,
  },
  none(
    'a scheduled entry is not published',
    'changelog_entries',
    sql`t.id`,
    sql`t.date_scheduled is not null and t.date_published is not null`,
  ),
  // Those of an erased user go soon after the user.
  none(
    'changelog_reactions belong to a user',
    'changelog_reactions',
    sql`t.user_id`,
    sql`not exists (select 1 from users u where u.board_id = t.board_id and u.id = t.user_id)
      and not exists (select 1 from erasures e where e.board_id = t.board_id and e.id = t.user_id)`,
  ),
];
