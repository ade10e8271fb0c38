import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offlinePage } from '../../src/views/app/shell/offline-page.ts';

const shown = (id: string) => document.getElementById(id)?.textContent;
const fetchMock = vi.fn<typeof fetch>();

/** Loads the page into this document and runs its script. */
const open = (): void => {
  const { html } = offlinePage('test-nonce');
  const page = new DOMParser().parseFromString(html, 'text/html');
  document.body.innerHTML = page.body.innerHTML;
  const [, script = ''] = /<script nonce="test-nonce">([\s\S]*)<\/script>/.exec(html) ?? [];
  new Function(script)();
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock);
  fetchMock.mockReset().mockRejectedValue(new TypeError('offline'));
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

it.each([
  ['sv', 'Ingen kontakt med arkivet', 'sv'],
  ['en', 'No connection to the archive', 'en'],
  ['da', 'Ingen kontakt med arkivet', 'da'],
  ['no', 'Ingen kontakt med arkivet', 'nb'],
])('is shown in %s', (language, title, tag) => {
  localStorage.setItem('dentarium.preferences', JSON.stringify({ language }));
  open();
  expect(shown('title')).toBe(title);
  expect(document.documentElement.lang).toBe(tag);
});

it('uses Swedish by default and for unreadable preferences', () => {
  localStorage.setItem('dentarium.preferences', '{');
  open();
  expect(shown('retry')).toBe('Försök igen');
});

it('shows whether the network or the server is unavailable', () => {
  localStorage.setItem('dentarium.preferences', '{"language":"en"}');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open();
  expect(shown('reason')).toBe('This computer has no network connection. Check the cable or the wireless network.');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(shown('reason')).toMatch(/^The archive does not answer/);
});

it('polls until the server answers', async () => {
  open();
  expect(fetchMock).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetchMock).toHaveBeenCalledTimes(3);
  expect(fetchMock).toHaveBeenLastCalledWith('/health', { cache: 'no-store' });
});

it('allows only its own script and style', () => {
  const { html, policy } = offlinePage('test-nonce');
  expect(policy).toContain("default-src 'none'");
  expect(html.match(/<(script|style)(?! nonce="test-nonce")/g)).toBeNull();
  expect(html).not.toMatch(/ on[a-z]+=| style=|https?:\/\/(?!www\.w3)/);
});
