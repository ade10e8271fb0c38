import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`));
const core = folderOf('@cornerstonejs/core');
const loader = folderOf('@cornerstonejs/dicom-image-loader');

/** Packages of the decode worker that are CommonJS, or that it imports by a path of their own. */
const codecs = [
  '@cornerstonejs/codec-charls/decodewasmjs',
  '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs',
  '@cornerstonejs/codec-libjxl/decodewasmjs',
  '@cornerstonejs/codec-openjpeg/decodewasmjs',
  '@cornerstonejs/codec-openjph/wasmjs',
  '@cornerstonejs/jpeg-lossless-decoder-js',
  'pako',
];

/**
 * What Vite must know to build the viewer; to be merged into the configuration of whoever bundles it.
 * Cornerstone is taken file by file, because its index brings vtk.js, and its metadata package dcmjs: neither can be
 * shaken off, and together they are a megabyte and a half that the viewer never calls.
 */
export const viewerConfig = (): UserConfig => ({
  resolve: {
    alias: [
      { find: /^@cornerstonejs\/core\/dist\//, replacement: `${core}/dist/` },
      { find: /^@cornerstonejs\/dicom-image-loader\/dist\//, replacement: `${loader}/dist/` },
      { find: /^@cornerstonejs\/metadata$/, replacement: path.join(here, 'decode/cornerstone/metadata.ts') },
      { find: /^dcmjs$/, replacement: path.join(here, 'decode/cornerstone/dcmjs.ts') },
    ],
  },
  worker: { format: 'es' },
  optimizeDeps: {
    exclude: ['@cornerstonejs/core', '@cornerstonejs/dicom-image-loader', '@cornerstonejs/metadata'],
    include: [
      'pixi.js',
      'pixi.js/unsafe-eval',
      'comlink',
      '@cornerstonejs/core > @cornerstonejs/utils',
      '@cornerstonejs/core > gl-matrix',
      ...codecs.map((name) => `@cornerstonejs/dicom-image-loader > ${name}`),
    ],
  },
});
