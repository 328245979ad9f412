export const name = '0041-agents';

/** The name of the API key with which an agent changed something. */
export function statements(): readonly string[] {
  return ['alter table operations add column via text'];
}
