// The service worker of a board's pages. Plain JavaScript, which browsers load as it is: pages name it without a hash.

/** Where pages are kept, apart from what other applications of the host keep, and how many. */
const CACHE = `earshot ${self.registration.scope}`;
const MOST = 50;

/** The header of the server's pages that tells whose they are (`src/pages/visitor.ts`). */
const VISITOR = 'earshot-visitor';

/** What visitors read: ideas, the roadmap and the changelog, and no page of the team. */
const READ = /^b\/[^/]+(\/(posts\/[^/]+(\/[^/]*)?|roadmap|changelog(\/\d.*)?))?(\.data)?$/;

/** Another person may come after these: what was kept is forgotten. */
const PEOPLE = /^(b\/[^/]+\/)?(sign-|sso|join|reset-password|change-email)/;

/** A proxy answers so in place of a server that does not. */
const SILENT = [502, 503, 504];

/** Where other browsers reject, Firefox gives an error as the response to a preload that failed. */
const isAnswer = (response) => response && response.type !== 'error' && !SILENT.includes(response.status);

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (!url.startsWith(self.registration.scope)) return;
  const path = url.slice(self.registration.scope.length).split(/[?#]/)[0];
  if (PEOPLE.test(path)) event.waitUntil(caches.delete(CACHE));
  if (method !== 'GET') return;
  if (READ.test(path) && (mode === 'navigate' || path.endsWith('.data'))) event.respondWith(answer(event));
  // Left to the browser, it would be asked for twice, by the preload and again; and some addresses work once.
  else if (mode === 'navigate') event.respondWith(ask(event));
});

/** Navigations need not wait until this worker has started. */
async function begin() {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The server's answer to the only request. */
async function ask({ preloadResponse, request }) {
  return (await preloadResponse) ?? fetch(request);
}

/** The server's answer, which is kept; without one, the answer that was kept. */
async function answer(event) {
  const { request } = event;
  const response = await ask(event).catch(() => undefined);
  if (isAnswer(response)) {
    if (response.type === 'basic') event.waitUntil(keep(request, response.clone()).catch(() => {}));
    return response;
  }
  // The visitor has gone on to another page.
  if (request.signal.aborted) return Response.error();
  const kept = await caches.match(request, { cacheName: CACHE, ignoreVary: true });
  return (kept && (await tell(event, kept))) ?? response ?? Response.error();
}

/**
 * Keeps a page of the server; something in its place, such as the page of a hotel's network, says nothing. A page that is gone
 * is forgotten, and with another visitor all pages are: sessions end in more ways than at the addresses of `PEOPLE`.
 */
async function keep(request, response) {
  const { status, headers } = response;
  const visitor = headers.get(VISITOR);
  if (visitor === null || Number.isNaN(Date.parse(headers.get('date')))) return;
  const before = await caches.open(CACHE);
  const [newest] = (await before.keys()).slice(-1);
  const last = newest && (await before.match(newest, { ignoreVary: true }));
  if (last && last.headers.get(VISITOR) !== visitor) await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.delete(request, { ignoreVary: true });
  // Data with another status leads elsewhere; a picture or a feed is no page.
  if (status !== 200 || !/^text\/(html|x-script)/.test(headers.get('content-type'))) return;
  await cache.put(request, response);
  const requests = await cache.keys();
  for (const oldest of requests.slice(0, -MOST)) await cache.delete(oldest);
}

/** Tells a page how old it is (`web/parts/frame/kept.ts`). */
async function tell(event, kept) {
  const date = kept.headers.get('date') ?? '';
  if (event.request.mode !== 'navigate') {
    const page = await self.clients.get(event.clientId);
    page?.postMessage({ kept: date });
    return kept;
  }
  const html = await kept.text();
  return new Response(html.replace('<html ', `<html data-kept="${date}" `), { headers: kept.headers });
}
