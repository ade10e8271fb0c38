import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../contract/problem.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RunningServer, runServer } from './running-server.ts';

const page = '<!doctype html><title>Prov</title><div id="root"></div>';
const withNonce =
  '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
const script = `/* ${'x'.repeat(5_000)} */`;
let folder: string;
let database: TestDatabase;
let running: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dist-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), page);
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(path.join(folder, 'assets/index-4f3a2b1c.js'), script);
  writeFileSync(path.join(folder, 'assets/packed-5a5b5c5d.js'), script);
  writeFileSync(path.join(folder, 'assets/packed-5a5b5c5d.js.br'), brotliCompressSync('/* packed */'));
  database = await testDatabase();
  running = await runServer(database.database, { browserFolder: folder });
});
afterAll(async () => {
  await running?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (target: string, init?: RequestInit) => fetch(`${running.url}${target}`, init);

const navigation = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

it.each([
  '/',
  '/customers',
  '/patient/5b0c/IO/7',
  '/patient/5b0c/1.2.840.99',
  '/authorization?x=1',
  '/resources',
  '//',
  '/%E0%A4%A?q=%',
  '/index.aspx',
])('returns the page for navigation to %s', async (target) => {
  const reply = await get(target, navigation);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(await reply.text()).toBe(page);
});

it('keeps the page of a shared link out of search engines', async () => {
  const robots = async (target: string) => (await get(target, navigation)).headers.get('x-robots-tag');
  expect(await robots('/shared')).toBe('noindex');
  expect(await robots('/customers')).toBeNull();
  const { headers } = await get('/shared', navigation);
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
});

it('returns the page for / whatever the caller accepts', async () => {
  expect(await (await get('/')).text()).toBe(page);
});

it.each(['/metrics', '/customers', '/index.aspx', '/wp-login.php'])(
  'returns 404 for %s to a caller that does not ask for HTML',
  async (target) => {
    const reply = await get(target);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ code: 'not-found' });
  },
);

it.each([
  '/api/nowhere',
  '/resource/nowhere',
  '/connect/nowhere',
  '/interaction/nowhere/at/all',
  '/resource/%E0',
  '/assets/gone-1234.js',
  '/package.json',
  '/assets/../../package.json',
])('returns 404 for %s', async (target) => {
  const reply = await get(target);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ code: 'not-found' });
});

it.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%5c..%5cpackage.json',
  '/assets/..%2findex.html',
])('does not leave its folder for %s', async (target) => {
  const text = await (await get(target)).text();
  expect(text === page || problem.safeParse(JSON.parse(text)).success).toBe(true);
});

describe('assets', () => {
  it('are cached immutably, other files are revalidated', async () => {
    const asset = await get('/assets/index-4f3a2b1c.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('public, no-cache');
    const etag = (await get('/favicon.svg')).headers.get('etag') ?? '';
    // fetch adds `cache-control: no-cache` to a conditional request, which disables revalidation.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get('/favicon.svg', { headers })).status).toBe(304);
  });

  it.each(['br', 'gzip'])('are compressed as %s', async (encoding) => {
    const reply = await get('/assets/index-4f3a2b1c.js', { headers: { 'accept-encoding': encoding } });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(await reply.text()).toBe(script);
  });

  it('are sent precompressed in an encoding that the browser supports', async () => {
    const fetchPage = async (encoding: string) => {
      const reply = await get('/assets/packed-5a5b5c5d.js', { headers: { 'accept-encoding': encoding } });
      const { headers } = reply;
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
      return [headers.get('content-encoding'), await reply.text()];
    };
    expect(await fetchPage('gzip, deflate, br')).toEqual(['br', '/* packed */']);
    expect(await fetchPage('gzip')).toEqual(['gzip', script]);
    expect(await fetchPage('identity')).toEqual([null, script]);
  });
});

it.each(['/', '/assets/index-4f3a2b1c.js', '/api/nowhere', '/health'])(
  'sends the security headers with %s',
  async (target) => {
    const { headers } = await get(target);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toMatch(/style-src 'self'( 'nonce-[^']+')?;/);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  },
);

it('allows the inline scripts of the built page by their hash, and no others', async () => {
  const built = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dist-'));
  const guard = '\n  window.ondrop = (event) => event.preventDefault();\n';
  writeFileSync(
    path.join(built, 'index.html'),
    `<!doctype html><script nonce="__CSP_NONCE__">${guard}</script><script type="module" src="/assets/a.js"></script>`,
  );
  const own = await runServer(database.database, { browserFolder: built });
  const policyOf = async (target: string) =>
    (await fetch(`${own.url}${target}`, navigation)).headers.get('content-security-policy') ?? '';
  const hash = createHash('sha256').update(guard).digest('base64');
  expect(await policyOf('/customers')).toContain(`script-src 'self' 'sha256-${hash}' 'wasm-unsafe-eval';`);
  expect(await policyOf('/api/nowhere')).toContain("script-src 'self' 'wasm-unsafe-eval';");
  await own.close();
  rmSync(built, { recursive: true, force: true });
});

it('allows only style elements with the nonce of this reply', async () => {
  const built = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dist-'));
  writeFileSync(path.join(built, 'index.html'), withNonce);
  const own = await runServer(database.database, { browserFolder: built });
  const fetchPage = async () => {
    const reply = await fetch(`${own.url}/customers`, navigation);
    const [, allowed] =
      /style-src 'self' 'nonce-([^']+)'/.exec(reply.headers.get('content-security-policy') ?? '') ?? [];
    const written = [...(await reply.text()).matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce);
    return { allowed, written };
  };
  const [first, second] = [await fetchPage(), await fetchPage()];
  await own.close();
  rmSync(built, { recursive: true, force: true });
  expect(first.allowed).toMatch(/^[\w+/]{24}$/);
  expect(first.written).toEqual([first.allowed, first.allowed]);
  expect(second.written).toEqual([second.allowed, second.allowed]);
  expect(second.allowed).not.toBe(first.allowed);
});
