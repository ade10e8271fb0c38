import path from 'node:path';
import type { InlineConfig } from 'vite';

const page = import.meta.dirname;

/** Complete Cornerstone, bundled as its documentation says. */
export const peerConfig = (outDir: string): InlineConfig => ({
  configFile: false,
  root: page,
  logLevel: 'error',
  resolve: { alias: [{ find: /^events$/, replacement: path.join(page, 'events.ts') }] },
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: false,
    target: 'esnext',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 10_000,
    rollupOptions: {
      input: path.join(page, 'peer.ts'),
      output: {
        entryFileNames: 'peer.js',
        chunkFileNames: 'peer/[name]-[hash].js',
        assetFileNames: 'peer/[name]-[hash][extname]',
      },
    },
  },
});
