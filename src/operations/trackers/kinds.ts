/** The issue trackers that ideas can be linked to. */
export const trackerKinds = ['GITHUB', 'GITLAB', 'LINEAR', 'JIRA'] as const;
export type TrackerKind = (typeof trackerKinds)[number];

/** The names of the trackers, which are the same in every language. */
export const trackerNames: Readonly<Record<TrackerKind, string>> = {
  GITHUB: 'GitHub',
  GITLAB: 'GitLab',
  LINEAR: 'Linear',
  JIRA: 'Jira',
};
