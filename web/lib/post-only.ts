/** The loader of a route that only takes POST: without one, React Router would call the request malformed. */
export function refuseToShow(): never {
  throw new Response(null, { status: 405, headers: { allow: 'POST' } });
}
