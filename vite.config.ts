import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const archive = process.env.DENTARIUM_ARCHIVE ?? 'http://localhost:8081';
const proxy = { target: archive, changeOrigin: false };

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The archive's content security policy allows no data: scripts or fonts; every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: {
      '/api': proxy,
      '/auth/api': proxy,
      '/connect': proxy,
      '/.well-known': proxy,
      '/health': proxy,
      '/resource': { ...proxy, ws: true },
    },
  },
});
