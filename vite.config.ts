import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { viewerConfig } from './src/viewer/vite-viewer.ts';
import { codeSplitting, firstVisit } from './vite-first-visit.ts';
import { licences } from './vite-licences.ts';
import { chunkFileNames, textPacks } from './vite-text-packs.ts';
import { webApp } from './vite-web-app.ts';

const archive = process.env.DENTARIUM_ARCHIVE ?? 'http://localhost:8081';

const proxy = { target: archive, changeOrigin: false };

export default mergeConfig(
  viewerConfig(),
  defineConfig({
    plugins: [react(), textPacks(), webApp(), licences(import.meta.dirname), firstVisit()],
    // The server replaces this with a new nonce in every page.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: 'dist',
      target: 'es2023',
      // The content security policy allows no `data:` fonts, so no asset is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
      rolldownOptions: { output: { codeSplitting, chunkFileNames } },
    },
    server: {
      port: 5173,
      proxy: {
        '/api': proxy,
        '/auth/api': proxy,
        '/connect': proxy,
        '/interaction': proxy,
        '/.well-known': proxy,
        '/health': proxy,
        '/openapi.json': proxy,
        '/resource': { ...proxy, ws: true },
      },
    },
  }),
);
