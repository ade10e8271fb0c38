import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offlinePage } from '../../src/views/shell/offline-page.ts';

const shown = (id: string) => document.getElementById(id)?.textContent;
const asked = vi.fn<typeof fetch>();

/** Puts the page into this document and runs its script, as a browser does. */
const open = (): void => {
  const { html } = offlinePage('word');
  const page = new DOMParser().parseFromString(html, 'text/html');
  document.body.innerHTML = page.body.innerHTML;
  const [, script = ''] = /<script nonce="word">([\s\S]*)<\/script>/.exec(html) ?? [];
  new Function(script)();
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', asked);
  asked.mockReset().mockRejectedValue(new TypeError('offline'));
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
  ['en', 'No contact with the archive', 'en'],
  ['da', 'Ingen kontakt med arkivet', 'da'],
  ['no', 'Ingen kontakt med arkivet', 'nb'],
])('speaks %s', (language, title, tag) => {
  localStorage.setItem('dentarium.preferences', JSON.stringify({ language }));
  open();
  expect(shown('title')).toBe(title);
  expect(document.documentElement.lang).toBe(tag);
});

it('speaks Swedish where nothing was chosen, or nothing can be read', () => {
  localStorage.setItem('dentarium.preferences', '{');
  open();
  expect(shown('retry')).toBe('Försök igen');
});

it('says whether the network or the archive is away', () => {
  localStorage.setItem('dentarium.preferences', '{"language":"en"}');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open();
  expect(shown('reason')).toBe('This computer has no network connection. Check the cable or the wireless network.');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(shown('reason')).toMatch(/^The archive does not answer/);
});

it('goes on asking until the archive answers', async () => {
  open();
  expect(asked).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(3);
  expect(asked).toHaveBeenLastCalledWith('/health', { cache: 'no-store' });
});

it('lets nothing but itself run', () => {
  const { html, policy } = offlinePage('word');
  expect(policy).toContain("default-src 'none'");
  expect(html.match(/<(script|style)(?! nonce="word")/g)).toBeNull();
  expect(html).not.toMatch(/ on[a-z]+=| style=|https?:\/\/(?!www\.w3)/);
});
