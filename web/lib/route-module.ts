import { loadPart } from './load-part.ts';

type Route = { id: string; module: string; imports?: readonly string[] };

/**
 * Loads the code of a route, in place of the router's own function, which loads the page again when that fails: a server
 * that is down for a moment would then cost what was typed, and the page. If the server has another version, the page is
 * loaded again here as well.
 * @param known the modules by the id of their route, which gains this one
 */
export async function loadRouteModule(route: Route, known: Record<string, unknown>): Promise<unknown> {
  if (route.id in known) return known[route.id];
  const { module, imports = [] } = route;
  try {
    known[route.id] = await loadPart(() => import(/* @vite-ignore */ module), [module, ...imports]);
    return known[route.id];
  } catch {
    window.location.reload();
    return new Promise(() => {});
  }
}
