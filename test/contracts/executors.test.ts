import assert from 'node:assert/strict';
import { testOnce } from '../support/app.ts';
import { schema } from '../support/schema.ts';
import { failures } from './corpus/failures.ts';
import { everyField } from './corpus/generated.ts';
import { inputs } from './corpus/inputs.ts';
import { mutations } from './corpus/mutations.ts';
import type { Sample } from './corpus/sample.ts';
import { selections } from './corpus/selections.ts';
import { makeComparison } from './executing.ts';

const corpus = { ...selections, ...inputs, ...failures, ...mutations, 'every field': everyField(schema) };
const samples = Object.values(corpus).flat();

testOnce('both executors make the same of every document', async (app) => {
  const compare = await makeComparison(app);
  assert.ok(samples.length >= 400, `${samples.length} documents`);
  for (const sample of samples) {
    const outcomes = await compare(sample);
    assert.equal(outcomes.served, outcomes.interpreted, nameOf(sample));
    assert.equal(outcomes.compiled, outcomes.interpreted, nameOf(sample));
  }
});

function nameOf({ query, variables = {} }: Pick<Sample, 'query' | 'variables'>): string {
  return `${query} ${JSON.stringify(variables)}`;
}
