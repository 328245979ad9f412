import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.ts'),
  route('posts/:number/:slug?', 'routes/post-of-domain.ts'),
  route('theme', 'routes/theme.ts'),
  route('sign-in', 'routes/sign-in.tsx'),
  route('sign-in/code', 'routes/sign-in-code.tsx'),
  route('sign-in/link/:token', 'routes/sign-in-link.tsx'),
  route('sign-out', 'routes/sign-out.ts'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('reset-password/:token', 'routes/reset-password-link.tsx'),
  route('join/:token', 'routes/join.tsx'),
  route('b/:pid', 'routes/board.tsx', { id: 'board' }, [
    index('routes/posts.tsx'),
    route('posts/:number/:slug?', 'routes/post.tsx'),
    route('setup/:step?', 'routes/setup.tsx'),
    route('settings', 'routes/settings/settings.tsx', [
      index('routes/settings/home.tsx'),
      route('general', 'routes/settings/general.tsx'),
      route('members', 'routes/settings/members.tsx'),
      route('apis', 'routes/settings/apis.tsx', [route('new', 'routes/settings/api-new.tsx')]),
      route('apis/:key', 'routes/settings/api.tsx'),
      route('webhooks', 'routes/settings/webhooks.tsx'),
      route('webhooks/new', 'routes/settings/webhook-new.tsx'),
      route('webhooks/:webhook', 'routes/settings/webhook.tsx', [
        index('routes/settings/webhook-log.tsx'),
        route('settings', 'routes/settings/webhook-settings.tsx'),
        route('secrets', 'routes/settings/webhook-secrets.tsx'),
        route('receiver', 'routes/settings/webhook-receiver.tsx'),
        route('deliveries/:delivery', 'routes/settings/webhook-delivery.tsx'),
      ]),
      route('mail', 'routes/settings/mail.tsx'),
      route('plan', 'routes/settings/plan.tsx'),
      route('account', 'routes/settings/account.tsx'),
    ]),
  ]),
  route('*', 'routes/nothing.tsx'),
] satisfies RouteConfig;
