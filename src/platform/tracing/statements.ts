import type { SpanAttributes } from '../lib/spans.ts';

/** What a span shows of a statement: its text, which has placeholders where values go, and what it does to which table. */
export type StatementSpan = { name: string; attributes: SpanAttributes };

/** Different texts are few, because values are parameters; those of migrations and rare imports are not kept. */
const MAX_KEPT = 1_000;

/** Returns a function that describes the statements of an engine, named as in OpenTelemetry. */
export function makeDescriber(system: 'sqlite' | 'postgresql'): (sql: string) => StatementSpan {
  const kept = new Map<string, StatementSpan>();
  return (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const span = describe(sql, system);
    if (kept.size < MAX_KEPT) kept.set(sql, span);
    return span;
  };
}

function describe(sql: string, system: string): StatementSpan {
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? '';
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1];
  return {
    name: table ? `${operation} ${table}` : operation,
    attributes: {
      'db.system.name': system,
      'db.operation.name': operation,
      'db.query.text': sql,
      ...(table && { 'db.collection.name': table }),
    },
  };
}
