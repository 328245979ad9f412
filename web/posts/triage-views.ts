/** The lists of triage, by their names in URLs. */
export const triageViews = ['unanswered', 'mine', 'issues', 'no-status', 'most-asked', 'snoozed'] as const;

export type TriageView = (typeof triageViews)[number];

/** Whether a part of a URL is the name of a list of triage. */
export function isTriageView(name: string | undefined): name is TriageView {
  return triageViews.some((view) => view === name);
}
