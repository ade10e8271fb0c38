import { offlinePage } from '../views/shell/offline-page.ts';

declare const self: ServiceWorkerGlobalScope;

/** Another one in each build (`vite-web-app.ts`), so that the browser sees that there is a new version. */
const build = '__BUILD__';

/** A proxy says so while the archive behind it is away. */
const awayStatuses = [502, 503, 504];

const offline = (): Response => {
  const { html, policy } = offlinePage(crypto.randomUUID());
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'x-build': build },
  });
};

const pageOf = async (event: FetchEvent): Promise<Response> => {
  try {
    const ahead: unknown = await event.preloadResponse;
    const response = ahead instanceof Response ? ahead : await fetch(event.request);
    return awayStatuses.includes(response.status) ? offline() : response;
  } catch {
    return offline();
  }
};

/*
 * Keeps nothing: no page, no call, no image of the archive is ever stored here. It answers when nobody else does, and makes a new version wait until
 * the person agrees to it.
 */
self.addEventListener('activate', (event) => {
  const ready = async () => {
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(ready());
});
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(pageOf(event));
});
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});
