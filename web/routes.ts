import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.ts'),
  route('posts/:number/:slug?', 'routes/post-of-domain.ts'),
  route('theme', 'routes/theme.ts'),
  route('b/:pid', 'routes/board.tsx', { id: 'board' }, [
    index('routes/posts.tsx'),
    route('posts/:number/:slug?', 'routes/post.tsx'),
  ]),
  route('*', 'routes/nothing.tsx'),
] satisfies RouteConfig;
