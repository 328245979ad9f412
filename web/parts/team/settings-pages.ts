import { normalizeText } from '#src/platform/texts/normal-form.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';

type Text = (l: Locale) => string;

/**
 * A page of the settings: its path after `/settings`, which names its file in `web/settings/` as well, the group
 * that it is listed in, its title, and what can be found on it.
 */
export type SettingsPage = {
  path: string;
  group: Text;
  title: Text;
  sections: readonly Text[];
  /** Whether the page is about the account, which users of single sign-on do not have. */
  isOfAccount?: true;
};

/** Every page of the settings that is listed, in order. Each has a route of this path; `web/routes.ts` adds its subpages. */
export const settingsPages: readonly SettingsPage[] = [
  { path: '', group: m.groupBoard, title: m.overview, sections: [m.checklist, m.reach] },
  {
    path: '/numbers',
    group: m.groupBoard,
    title: m.numbers,
    sections: [
      m.timeToAnswer,
      m.timeToComplete,
      m.triageUnanswered,
      m.ideasPerWeek,
      m.votesByWeek,
      m.segments,
      m.outcomes,
    ],
  },
  {
    path: '/general',
    group: m.groupBoard,
    title: m.general,
    sections: [
      m.boardName,
      m.boardDescription,
      m.language,
      m.showRoadmap,
      m.branding,
      m.brandColor,
      m.logo,
      m.icon,
      m.address,
      m.domain,
    ],
  },
  {
    path: '/access',
    group: m.groupBoard,
    title: m.access,
    sections: [m.accessKind, m.mailDomains, m.approval, m.standings],
  },
  {
    path: '/statuses',
    group: m.groupBoard,
    title: m.statuses,
    sections: [m.addStatus, m.statusColor, m.statusOnRoadmap, m.whoSeesIdeas],
  },
  { path: '/tags', group: m.groupBoard, title: m.tags, sections: [m.addTag, m.tagColor, m.tagPrivate] },
  { path: '/ideas', group: m.groupBoard, title: m.ideaForm, sections: [m.ideaTemplate, m.fields] },
  { path: '/members', group: m.groupBoard, title: m.members, sections: [m.invite, m.invited, m.role] },
  { path: '/boards', group: m.groupBoard, title: m.boards, sections: [m.createBoard], isOfAccount: true },
  {
    path: '/sso',
    group: m.groupIntegrations,
    title: m.sso,
    sections: [m.ssoSecret, m.ssoJwks, m.ssoLogin, m.ssoAttributes, m.ssoCheck],
  },
  { path: '/widget', group: m.groupIntegrations, title: m.widget, sections: [m.widgetOrigins, m.widgetSnippet] },
  {
    path: '/mail-in',
    group: m.groupIntegrations,
    title: m.mailInTitle,
    sections: [m.mailInAddress, m.mailInNicer],
  },
  {
    path: '/chats',
    group: m.groupIntegrations,
    title: m.chatsTitle,
    sections: [m.chatsUrl, m.chatsSecret, m.chatsThreads, m.chatsKey],
  },
  {
    path: '/trackers',
    group: m.groupIntegrations,
    title: m.trackers,
    sections: [m.issues, m.trackerConnect, m.trackerRule],
  },
  {
    path: '/apis',
    group: m.groupIntegrations,
    title: m.apis,
    sections: [m.apiTurnOff, m.createKey, m.permissions, m.addresses, m.limits, m.expires, m.usage, m.rotate, m.revoke],
  },
  {
    path: '/mcp',
    group: m.groupIntegrations,
    title: m.mcp,
    sections: [() => 'Claude Code, Cursor, VS Code'],
  },
  {
    path: '/webhooks',
    group: m.groupIntegrations,
    title: m.webhooks,
    sections: [
      m.createWebhook,
      m.deliveries,
      m.events,
      m.endpointUrl,
      m.signingSecret,
      m.verifyToken,
      m.receiver,
      m.checkTitle,
    ],
  },
  {
    path: '/import',
    group: m.groupData,
    title: m.importTitle,
    sections: [m.importUpload, m.importLast, m.importElsewhere],
  },
  { path: '/export', group: m.groupData, title: m.exportTitle, sections: [m.exportCsv, m.exportJsonl, m.sheetTitle] },
  { path: '/mail', group: m.groupService, title: m.mail, sections: [m.mails, m.mailDns] },
  {
    path: '/providers',
    group: m.groupService,
    title: m.providers,
    sections: [m.providerAddress, () => 'Google, GitHub, OpenID'],
  },
  {
    path: '/profile',
    group: m.groupYou,
    title: m.profile,
    sections: [m.yourName, m.ownPicture, m.language, m.timeZone],
  },
  { path: '/notifications', group: m.groupYou, title: m.notifications, sections: [m.mailFrequency, m.mailKinds] },
  {
    path: '/account',
    group: m.groupYou,
    title: m.account,
    sections: [m.email, m.password, m.secondFactor, m.passkeys, m.sessions],
    isOfAccount: true,
  },
  { path: '/data', group: m.groupYou, title: m.ownData, sections: [m.ownCopy, m.deleteAccount] },
];

/** Pages of the team that people look for among the settings: their paths on the board. */
const teamPages: readonly Omit<SettingsPage, 'isOfAccount'>[] = [
  { path: '/moderation', group: m.moderation, title: m.toReview, sections: [m.approval] },
  { path: '/activity', group: m.moderation, title: m.activity, sections: [m.undo] },
  { path: '/deleted', group: m.moderation, title: m.deletedThings, sections: [] },
  { path: '/people', group: m.moderation, title: m.people, sections: [m.standings] },
  { path: '/people/companies', group: m.moderation, title: m.companies, sections: [m.monthlyRevenue] },
  { path: '/people/segments', group: m.moderation, title: m.customerSegments, sections: [] },
  { path: '/views', group: m.triage, title: m.views, sections: [] },
];

/** Who the settings are listed for. */
type Settings = { isManager: boolean; hasAccount: boolean };

/** The pages that the viewer may open, in their groups. */
export function groupsOfPages({ isManager, hasAccount }: Settings): { group: Text; pages: SettingsPage[] }[] {
  const pages = settingsPages.filter(
    ({ group, isOfAccount }) => (isManager || group === m.groupYou) && (hasAccount || !isOfAccount),
  );
  return [...Map.groupBy(pages, ({ group }) => group)].map(([group, pages]) => ({ group, pages }));
}

/** A page on which something was found, by its path on the board, and where. */
export type FoundPage = { path: string; title: string; sections: string[] };

/**
 * The pages on which every word of a query is found, in the names of them and of their group or in what can be set
 * there, with those places.
 */
export function findSettings(l: Locale, query: string): FoundPage[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ofSettings = settingsPages.map((page) => ({ ...page, path: `/settings${page.path}` }));
  return [...ofSettings, ...teamPages].flatMap(({ path, group, title, sections }) => {
    const texts = sections.map((section) => section(l));
    const all = fold([group(l), title(l), ...texts].join(' '));
    if (!words.every((word) => all.includes(word))) return [];
    return [
      { path, title: title(l), sections: texts.filter((text) => words.some((word) => fold(text).includes(word))) },
    ];
  });
}

/** Lower case, without accents. */
function fold(text: string): string {
  return normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
