import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeConfig, type UserConfig } from 'vite';
import { viewerConfig } from '../../src/viewer/vite-viewer.ts';

const page = path.join(path.dirname(fileURLToPath(import.meta.url)), 'page');

/** The Content-Security-Policy of the product: no eval, WebAssembly for the codecs. */
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:";

/** The page on which the viewer is tested, built as the product builds it. */
const config: UserConfig = mergeConfig(viewerConfig(), {
  root: page,
  base: '/',
  logLevel: 'error',
  build: { target: 'esnext', emptyOutDir: true, reportCompressedSize: false, assetsInlineLimit: 0 },
  preview: { host: '127.0.0.1', port: 0, headers: { 'Content-Security-Policy': policy } },
});

export default config;
