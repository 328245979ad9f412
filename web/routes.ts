import { index, type RouteConfig, route } from '@react-router/dev/routes';
import { settingsPages } from './lib/settings-pages.ts';

export default [
  index('routes/home.tsx'),
  route('robots.txt', 'routes/robots.ts'),
  route('sitemap.xml', 'routes/sitemap-index.ts'),
  route('posts/:number/:slug?', 'routes/of-domain.ts'),
  route('changelog/:number?/:slug?', 'routes/of-domain.ts', { id: 'changelog-of-domain' }),
  route('changelog.atom', 'routes/of-domain.ts', { id: 'changelog-feed-of-domain' }),
  route('posts.atom', 'routes/of-domain.ts', { id: 'posts-feed-of-domain' }),
  route('look', 'routes/look.ts'),
  route('sign-in', 'routes/sign-in.tsx'),
  route('sign-in/code', 'routes/sign-in-code.tsx'),
  route('sign-in/with/:provider', 'routes/sign-in-with.tsx'),
  route('sign-in/with/callback/:provider', 'routes/sign-in-with.tsx', { id: 'sign-in-with-callback' }),
  route('sign-in/link/:token', 'routes/sign-in-link.tsx'),
  route('sign-out', 'routes/sign-out.ts'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('reset-password/:token', 'routes/reset-password-link.tsx'),
  route('change-email/:token', 'routes/change-email.tsx'),
  route('sign-up/:token', 'routes/sign-up.tsx'),
  route('join/:token', 'routes/join.tsx'),
  route('email/:token', 'routes/email.tsx'),
  route('sso/:token', 'routes/sso.tsx', { id: 'sso-of-host' }),
  // Not below the board's layout: visitors of a private board do not see its pages before they have signed in.
  route('b/:pid/sso/:token?', 'routes/sso.tsx'),
  route('b/:pid', 'routes/board.tsx', { id: 'board' }, [
    index('routes/posts.tsx'),
    route('picture.png', 'routes/picture.ts'),
    route('sitemap/:file', 'routes/sitemap.ts'),
    route('posts/:number/picture.png', 'routes/post-picture.ts'),
    route('posts/:number/:slug?', 'routes/post.tsx'),
    route('votes/:number', 'routes/vote.tsx'),
    route('voters/:number', 'routes/settings/voters.tsx'),
    route('voters/:number/file', 'routes/settings/voters-file.ts'),
    route('continue', 'routes/continue.tsx'),
    route('similar', 'routes/similar.ts'),
    route('uploads', 'routes/uploads.ts'),
    route('roadmap', 'routes/roadmap.tsx'),
    route('changelog', 'routes/changelog.tsx'),
    route('changelog.atom', 'routes/changelog-feed.ts'),
    route('posts.atom', 'routes/posts-feed.ts'),
    route('posts/:number/feed.atom', 'routes/post-feed.ts'),
    route('changelog/new', 'routes/changelog-new.tsx'),
    route('changelog/:number/:slug?', 'routes/changelog-entry.tsx'),
    route('inbox', 'routes/inbox.tsx'),
    route('moderation', 'routes/moderation.tsx'),
    route('activity', 'routes/activity.tsx'),
    route('deleted', 'routes/deleted.tsx'),
    route('undo', 'routes/undo.tsx'),
    route('triage/:view?', 'routes/triage.tsx', [route(':number', 'routes/triage-post.tsx')]),
    route('setup/:step?', 'routes/setup.tsx'),
    route('settings', 'routes/settings/settings.tsx', [
      index('routes/settings/home.tsx'),
      ...settingsPages.flatMap(({ path }) => (path === '' ? [] : settingsRoute(path.slice(1)))),
      route('search', 'routes/settings/search.tsx'),
      route('apis/:key', 'routes/settings/api.tsx'),
      route('webhooks/new', 'routes/settings/webhook-new.tsx'),
      route('webhooks/:webhook', 'routes/settings/webhook.tsx', [
        index('routes/settings/webhook-log.tsx'),
        route('settings', 'routes/settings/webhook-settings.tsx'),
        route('secrets', 'routes/settings/webhook-secrets.tsx'),
        route('receiver', 'routes/settings/webhook-receiver.tsx'),
        route('deliveries/:delivery', 'routes/settings/webhook-delivery.tsx'),
      ]),
      route('export/file', 'routes/settings/export-file.ts'),
      route('data/file', 'routes/settings/data-file.ts'),
    ]),
    route('*', 'routes/nothing.tsx', { id: 'nothing-of-board' }),
  ]),
  route('*', 'routes/nothing.tsx'),
] satisfies RouteConfig;

/** A settings page; the one for API keys opens the page to create a key as a dialog. */
function settingsRoute(name: string) {
  const children = name === 'apis' ? [route('new', 'routes/settings/api-new.tsx')] : [];
  return route(name, `routes/settings/${name}.tsx`, children);
}
