import { normalizeText } from '../../src/platform/lib/normal-form.ts';
import type { Locale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';

/** A page of the settings: its path after `/settings`, and what can be found on it. */
export type SettingsPage = { path: string; title: string; sections: readonly string[] };

/** The pages of the settings in their groups, for somebody who manages the board or for anybody with an account. */
export function groupsOfPages(l: Locale, isManager: boolean): { name: string; pages: SettingsPage[] }[] {
  const you = { name: m.groupYou(l), pages: [page('/account', m.account(l), ofAccount(l))] };
  if (!isManager) return [you];
  return [
    {
      name: m.groupBoard(l),
      pages: [
        page('', m.overview(l), [m.checklist(l)]),
        page('/general', m.general(l), ofGeneral(l)),
        page('/members', m.members(l), [m.invite(l), m.invited(l), m.role(l)]),
      ],
    },
    {
      name: m.groupIntegrations(l),
      pages: [page('/apis', m.apis(l), ofApis(l)), page('/webhooks', m.webhooks(l), ofWebhooks(l))],
    },
    { name: m.groupData(l), pages: [page('/export', m.exportTitle(l), ofExport(l))] },
    {
      name: m.groupService(l),
      pages: [page('/mail', m.mail(l), [m.mails(l)]), page('/plan', m.plan(l), [m.planFree(l), m.planPro(l)])],
    },
    you,
  ];
}

/**
 * The pages on which every word of a query is found, in the names of them and of their group or in what can be set
 * there, with those places.
 */
export function findSettings(l: Locale, query: string): SettingsPage[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const pages = groupsOfPages(l, true).flatMap(({ name, pages }) => pages.map((page) => ({ ...page, name })));
  return pages.flatMap(({ path, title, sections, name }) => {
    const all = fold([name, title, ...sections].join(' '));
    if (!words.every((word) => all.includes(word))) return [];
    return [
      page(
        path,
        title,
        sections.filter((section) => words.some((word) => fold(section).includes(word))),
      ),
    ];
  });
}

function page(path: string, title: string, sections: readonly string[]): SettingsPage {
  return { path, title, sections };
}

/** Lower case, without accents. */
function fold(text: string): string {
  return normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

const ofGeneral = (l: Locale) => [
  m.boardName(l),
  m.boardDescription(l),
  m.language(l),
  m.showRoadmap(l),
  m.branding(l),
  m.brandColor(l),
  m.logo(l),
  m.icon(l),
  m.address(l),
  m.domain(l),
];

const ofApis = (l: Locale) => [
  m.createKey(l),
  m.permissions(l),
  m.addresses(l),
  m.limits(l),
  m.expires(l),
  m.usage(l),
  m.rotate(l),
  m.revoke(l),
];

const ofWebhooks = (l: Locale) => [
  m.createWebhook(l),
  m.deliveries(l),
  m.events(l),
  m.endpointUrl(l),
  m.signingSecret(l),
  m.verifyToken(l),
  m.receiver(l),
  m.checkTitle(l),
];

const ofExport = (l: Locale) => [m.exportCsv(l), m.exportJsonl(l), m.sheetTitle(l)];

const ofAccount = (l: Locale) => [m.yourName(l), m.email(l), m.password(l), m.secondFactor(l), m.sessions(l)];
