import danish from '../../../../locales/da/offline.json' with { type: 'json' };
import english from '../../../../locales/en/offline.json' with { type: 'json' };
import norwegian from '../../../../locales/no/offline.json' with { type: 'json' };
import swedish from '../../../../locales/sv/offline.json' with { type: 'json' };

const texts = { sv: swedish, en: english, da: danish, no: norwegian };

const style = `
:root{color-scheme:light dark;--page:#fff;--ink:#1b1b1b;--dimmed:#5c5c5c;--accent:#006b6b;--line:#c4c4c4}
@media (prefers-color-scheme:dark){:root{--page:#121212;--ink:#e4e4e4;--dimmed:#a8a8a8;--accent:#3fc1c1;--line:#4a4a4a}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 'Inter Variable',system-ui,sans-serif}
main{max-width:26rem;padding:24px;display:grid;gap:12px;justify-items:start}
h1{font-size:20px;line-height:1.3;margin:0}p{margin:0}#safe{color:var(--dimmed);font-size:14px}
button{font:inherit;font-size:14px;min-height:40px;padding:0 16px;border:1px solid var(--line);border-radius:6px;background:none;color:inherit;cursor:pointer}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

const mark =
  '<svg width="40" height="40" viewBox="0 0 32 32" fill="none" stroke="var(--accent)" stroke-width="1.9" stroke-linejoin="round" aria-hidden="true"><path d="M10.7 9.3C12.6 8.2 14.3 9.7 16 9.7s3.4-1.5 5.3-.4c2 1.2 1.9 4.1.9 6.5-.8 1.9-.9 3.7-1.4 5.6-.4 1.7-1 2.7-1.9 2.7-1.5 0-1.1-5.6-2.9-5.6s-1.4 5.6-2.9 5.6c-.9 0-1.5-1-1.9-2.7-.5-1.9-.6-3.7-1.4-5.6-1-2.4-1.1-5.3.9-6.5Z"/></svg>';

/**
 * Runs in the offline page: shows the reason in the stored language and reloads once the server answers.
 * It is serialized as text, so it can use nothing but its arguments.
 */
export const runOfflinePage = (translations: typeof texts, retryMs: number): void => {
  let language: keyof typeof translations = 'sv';
  try {
    const stored: unknown = JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}')?.language;
    if (stored === 'en' || stored === 'da' || stored === 'no') language = stored;
  } catch {
    // Unreadable preferences: use the default.
  }
  const text = translations[language];
  document.documentElement.lang = language === 'no' ? 'nb' : language;
  document.title = `${text.title} · Dentarium`;
  const write = (id: string, text: string) => {
    const place = document.getElementById(id);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const probe = async () => {
    write('reason', navigator.onLine ? text.away : text.offline);
    const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) location.reload();
  };
  write('title', text.title);
  write('safe', text.safe);
  write('retry', text.retry);
  document.getElementById('retry')?.addEventListener('click', () => void probe());
  window.addEventListener('online', () => void probe());
  window.addEventListener('offline', () => void probe());
  setInterval(() => void probe(), retryMs);
  void probe();
};

const retryMs = 5_000;

/** Returns the offline page. It is self-contained and holds no archive data. */
export const offlinePage = (nonce: string): { readonly html: string; readonly policy: string } => ({
  html: `<!doctype html><html lang="sv"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Dentarium</title><style nonce="${nonce}">${style}</style></head><body><main>${mark}<h1 id="title"></h1><p id="reason" role="status"></p><p id="safe"></p><button id="retry" type="button"></button></main><script nonce="${nonce}">(${runOfflinePage.toString()})(${JSON.stringify(texts).replaceAll('<', '\\u003c')},${retryMs})</script></body></html>`,
  policy: `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
});
