import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../../web/routes.ts';

/** Paths of every page, with these values of their parameters; others are `x`. */
export function listPaths(values: Record<string, string>): string[] {
  return [...new Set(pathsBelow(routes, values, ''))];
}

function pathsBelow(entries: readonly RouteConfigEntry[], values: Record<string, string>, base: string): string[] {
  return entries.flatMap(({ path = '', children = [] }) => {
    const here = [base, path].filter(Boolean).join('/');
    const filled = here.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? 'x').replace('*', 'nothing-here');
    return [`/${filled}`, ...pathsBelow(children, values, here)];
  });
}
