export const name = '0032-vote-evidence';

/** Why the team added the vote of someone who asked elsewhere. */
export function statements(): readonly string[] {
  return ['alter table votes add column evidence text'];
}
