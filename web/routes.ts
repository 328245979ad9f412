import { index, type RouteConfig, route } from '@react-router/dev/routes';
import { settingsPages } from './parts/team/settings-pages.ts';

export default [
  index('site/home.tsx'),
  route('robots.txt', 'site/robots.ts'),
  route('sitemap.xml', 'site/sitemap-index.ts'),
  route('posts/:number/:slug?', 'site/of-domain.ts'),
  route('changelog/:number?/:slug?', 'site/of-domain.ts', { id: 'changelog-of-domain' }),
  route('changelog.atom', 'site/of-domain.ts', { id: 'changelog-feed-of-domain' }),
  route('posts.atom', 'site/of-domain.ts', { id: 'posts-feed-of-domain' }),
  route('look', 'site/look.ts'),
  route('widget-config.js', 'embed/widget-config.ts', { id: 'widget-config-of-host' }),
  route('sign-in', 'sign-in/sign-in.tsx'),
  route('sign-in/code', 'sign-in/second-factor.tsx'),
  route('sign-in/with/:provider', 'sign-in/with.tsx'),
  route('sign-in/with/callback/:provider', 'sign-in/with.tsx', { id: 'sign-in-with-callback' }),
  route('sign-in/link/:token', 'sign-in/link.tsx'),
  route('sign-out', 'sign-in/sign-out.ts'),
  route('connect/:uid?', 'settings/keys/connect.tsx'),
  route('reset-password', 'sign-in/reset-password.tsx'),
  route('reset-password/:token', 'sign-in/reset-password-link.tsx'),
  route('change-email/:token', 'sign-in/change-email.tsx'),
  route('sign-up/:token', 'sign-in/sign-up.tsx'),
  route('join/:token', 'sign-in/join.tsx'),
  route('email/:token', 'mails/email.tsx'),
  route('email/confirm/:token', 'mails/confirm.tsx'),
  route('email/end/:token', 'mails/end.tsx'),
  route('sso/:token', 'sign-in/sso.tsx', { id: 'sso-of-host' }),
  // Not below the board's layout: visitors of a private board do not see its pages before they have signed in.
  route('b/:pid/sso/:token?', 'sign-in/sso.tsx'),
  route('b/:pid', 'site/board.tsx', { id: 'board' }, [
    index('posts/list/list.tsx'),
    route('picture.png', 'site/picture.ts'),
    route('sitemap/:file', 'site/sitemap.ts'),
    route('posts/:number/picture.png', 'post/picture.ts'),
    route('posts/:number/:slug?', 'post/post.tsx'),
    route('votes/:number', 'posts/votes/vote.tsx'),
    route('moved/:source/:id', 'site/moved.ts'),
    route('voters/:number', 'people/voters.tsx'),
    route('voters/:number/file', 'people/voters-file.ts'),
    route('continue', 'posts/votes/continue.tsx'),
    route('similar', 'posts/list/similar.ts'),
    route('uploads', 'site/uploads.ts'),
    route('chat/:token', 'account/chat.tsx'),
    route('allow', 'account/allow.tsx'),
    route('embed', 'embed/embed.ts'),
    route('elsewhere', 'embed/elsewhere.tsx'),
    route('widget-config.js', 'embed/widget-config.ts'),
    route('mentions', 'comments/mentions.ts'),
    route('roadmap', 'roadmap/roadmap.tsx'),
    route('changelog', 'changelog/changelog.tsx'),
    route('changelog.atom', 'changelog/feed.ts'),
    route('posts.atom', 'posts/list/feed.ts'),
    route('posts/:number/feed.atom', 'post/feed.ts'),
    route('changelog/new', 'changelog/new.tsx'),
    route('changelog/:number/:slug?', 'changelog/entry.tsx'),
    route('inbox', 'inbox/inbox.tsx'),
    route('moderation', 'moderation/moderation.tsx'),
    route('activity', 'moderation/activity.tsx'),
    route('deleted', 'moderation/deleted.tsx'),
    route('people', 'people/people.tsx'),
    route('people/companies', 'people/companies.tsx'),
    route('people/segments', 'people/segments.tsx'),
    route('people/:user', 'people/person.tsx'),
    route('people/:user/file', 'people/person-file.ts'),
    route('undo', 'moderation/undo.tsx'),
    route('triage/:view?', 'triage/triage.tsx', [route(':number', 'triage/post.tsx')]),
    route('views', 'posts/team/views-page.tsx'),
    route('setup/:step?', 'setup/setup.tsx'),
    route('settings', 'settings/settings.tsx', [
      index('settings/home.tsx'),
      ...settingsPages.flatMap(({ path }) => (path === '' ? [] : settingsRoute(path.slice(1)))),
      route('search', 'settings/search.tsx'),
      route('apis/:key', 'settings/keys/api.tsx'),
      route('apis/publishable/:key', 'settings/keys/publishable.tsx'),
      route('webhooks/new', 'settings/webhooks/new.tsx'),
      route('webhooks/:webhook', 'settings/webhooks/webhook.tsx', [
        index('settings/webhooks/log.tsx'),
        route('settings', 'settings/webhooks/settings.tsx'),
        route('secrets', 'settings/webhooks/secrets.tsx'),
        route('receiver', 'settings/webhooks/receiver.tsx'),
        route('deliveries/:delivery', 'settings/webhooks/delivery.tsx'),
      ]),
      route('import/problems', 'settings/data/import-problems.ts'),
      route('export/file', 'settings/data/export-file.ts'),
      route('data/file', 'settings/data/data-file.ts'),
    ]),
    route('*', 'site/nothing.tsx', { id: 'nothing-of-board' }),
  ]),
  route('*', 'site/nothing.tsx'),
] satisfies RouteConfig;

/** The settings that stand in a room of their own; the others are files of `settings/`. */
function roomOf(name: string): string {
  if (/^(account|boards|notifications|profile)$/.test(name)) return 'account';
  if (/^(apis|mcp)$/.test(name)) return 'settings/keys';
  if (/^(data|export|import)$/.test(name)) return 'settings/data';
  if (/^(chats|mail-in|trackers)$/.test(name)) return 'settings/intake';
  return name === 'webhooks' ? 'settings/webhooks' : 'settings';
}

/** A settings page; the one for API keys opens the page to create a key as a dialog. */
function settingsRoute(name: string) {
  const children = name === 'apis' ? [route('new', 'settings/keys/new.tsx')] : [];
  return route(name, `${roomOf(name)}/${name}.tsx`, children);
}
