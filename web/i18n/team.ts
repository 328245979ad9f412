/**
 * Whether a file of `web/`, or a route by its id, is of pages that only the team sees, by its folder. Visitors download
 * no texts that nothing else shows.
 */
export function isOfTeam(path: string): boolean {
  return /^(account|moderation|people|settings|setup|triage)\/|\/team\//.test(path);
}
