import { sql } from 'kysely';
import type { Mismatch, Rule } from './recount.ts';

/** How many users react to each changelog entry in one way. */
function reactions(reaction: string): Rule {
  const stored = sql.ref(`${reaction.toLowerCase()}_count`);
  return {
    rule: `changelog_entries count ${reaction}`,
    mismatches: sql<Mismatch>`
      select e.id, ${stored} as stored, coalesce(c.n, 0) as counted
      from changelog_entries e
      left join (
        select board_id, entry_id, count(*) as n from changelog_reactions
        where reaction = ${sql.lit(reaction)} group by board_id, entry_id
      ) c on c.board_id = e.board_id and c.entry_id = e.id
      where ${stored} <> coalesce(c.n, 0)`,
  };
}

/** What must hold of the changelog. */
export const changelogRules: readonly Rule[] = [
  ...['THUMBS_UP', 'HEART', 'PARTY', 'EYES'].map(reactions),
  {
    rule: 'boards.changelog_count',
    mismatches: sql<Mismatch>`
      select b.id, b.changelog_count as stored, coalesce(c.n, 0) as counted
      from boards b
      left join (
        select board_id, count(*) as n from changelog_entries where date_published is not null group by board_id
      ) c on c.board_id = b.id
      where b.changelog_count <> coalesce(c.n, 0)`,
  },
  {
    rule: 'a published entry was announced once more than it was withdrawn, others as often',
    mismatches: sql<Mismatch>`
      select e.id, case when e.date_published is null then 0 else 1 end as stored, coalesce(t.n, 0) as counted
      from changelog_entries e
      left join (
        select board_id, entry_id, sum(case when type = 'changelog.published' then 1 else -1 end) as n
        from events where entry_id is not null group by board_id, entry_id
      ) t on t.board_id = e.board_id and t.entry_id = e.id
      where case when e.date_published is null then 0 else 1 end <> coalesce(t.n, 0)`,
  },
  {
    rule: 'a scheduled entry is not published',
    mismatches: sql<Mismatch>`
      select id, 1 as stored, 0 as counted from changelog_entries
      where date_scheduled is not null and date_published is not null`,
  },
];
