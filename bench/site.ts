import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { oursConfig } from './page/ours.vite.ts';
import { peerConfig } from './page/peer.vite.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench</title><style>body{margin:0;background:#000}.host{position:absolute}</style></head>' +
  '<body><script type="module" src="/ours.js"></script><script type="module" src="/peer.js"></script></body></html>';

export interface Site {
  readonly page: Page;
  /** Puts a file on the site; returns its address. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<string>;
  /** The page as if it had just been opened: no workers, codecs or caches left. */
  readonly reopen: () => Promise<void>;
  /** Another address of the same file. */
  readonly alias: (url: string, as: string) => string;
  readonly close: () => Promise<void>;
}

/** One page with both programs, in the browser of the tests, served from this machine. */
export const openSite = async (size: { readonly width: number; readonly height: number }): Promise<Site> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  await build(oursConfig(folder));
  await build(peerConfig(folder));
  await writeFile(path.join(folder, 'index.html'), html);
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname;
    const target = name.replace(/^\/as\/[^/]+/, '');
    const file = path.join(folder, target === '/' ? 'index.html' : path.normalize(target));
    const stream = createReadStream(file);
    stream.once('error', () => response.writeHead(404).end());
    stream.once('open', () => {
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
      stream.pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the page is not served');
  const origin = `http://127.0.0.1:${address.port}`;
  const executablePath = process.env.DENTARIUM_CHROMIUM;
  const browser: Browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--enable-unsafe-swiftshader',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--disable-background-networking',
      '--disable-quic',
      '--no-first-run',
    ],
  });
  const page = await browser.newPage({ viewport: size });
  page.on('pageerror', (error) => console.error(`page: ${error}`));
  const reopen = async () => {
    await page.goto(origin);
    await page.waitForFunction(() => Boolean(window.ours && window.peer));
  };
  await reopen();
  return {
    page,
    reopen,
    put: async (name, bytes) => {
      await writeFile(path.join(folder, name), bytes);
      return `${origin}/${name}`;
    },
    alias: (url, as) => url.replace(origin, `${origin}/as/${as}`),
    close: async () => {
      await browser.close();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
};
