import { offlinePage } from './offline-page.ts';

declare const self: ServiceWorkerGlobalScope;

/** Replaced in each build (`vite-web-app.ts`), so that the browser detects a new version. */
const build = '__BUILD__';

/** Status codes of a proxy while the archive is unavailable. */
const awayStatuses = [502, 503, 504];

/** This file cannot import what other chunks contain. */
const nonce = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-');

const offline = (): Response => {
  const { html, policy } = offlinePage(nonce());
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
 * Caches nothing. Shows an offline page when the archive is unavailable, and lets a new version wait until the user agrees.
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
