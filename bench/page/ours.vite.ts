import path from 'node:path';
import { type InlineConfig, mergeConfig } from 'vite';
import { viewerConfig } from '../../src/viewer/vite-viewer.ts';

const page = import.meta.dirname;

/** The viewer as the product bundles it. */
export const oursConfig = (outDir: string): InlineConfig =>
  mergeConfig(viewerConfig(), {
    configFile: false,
    root: page,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'esnext',
      reportCompressedSize: false,
      assetsInlineLimit: 0,
      rollupOptions: {
        input: path.join(page, 'ours.ts'),
        output: {
          entryFileNames: 'ours.js',
          chunkFileNames: 'ours/[name]-[hash].js',
          assetFileNames: 'ours/[name]-[hash][extname]',
        },
      },
    },
  } satisfies InlineConfig);
