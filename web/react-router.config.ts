import type { Config } from '@react-router/dev/config';

/** Every page is rendered on the server; the files for browsers are in `build/`. */
export default {
  appDirectory: '.',
  buildDirectory: 'build',
  ssr: true,
  // The list of routes is short, so it comes with the page; discovering it bit by bit would cost requests.
  routeDiscovery: { mode: 'initial' },
  // What sends a form is a line of its route, and would be a file of its own.
  splitRouteModules: false,
} satisfies Config;
