import type { UserConfig } from 'vite';

const pathOf = (relative: string) => decodeURIComponent(new URL(relative, import.meta.url).pathname);
const core = pathOf('../../node_modules/@cornerstonejs/core/dist/');
const loader = pathOf('../../node_modules/@cornerstonejs/dicom-image-loader/dist/');

/** Packages of the decode worker that are CommonJS, or that it imports by a deep path. */
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
 * Returns the Vite configuration that the viewer needs, to be merged into that of the application.
 * Cornerstone is imported file by file, because its index imports vtk.js and its metadata package imports dcmjs: neither is
 * tree-shaken, and together they add 1.5 MB that the viewer never calls.
 */
export const viewerConfig = (): UserConfig => ({
  resolve: {
    alias: [
      { find: /^@cornerstonejs\/core\/dist\//, replacement: core },
      { find: /^@cornerstonejs\/dicom-image-loader\/dist\//, replacement: loader },
      { find: /^@cornerstonejs\/metadata$/, replacement: pathOf('./decode/cornerstone/metadata.ts') },
      { find: /^dcmjs$/, replacement: pathOf('./decode/cornerstone/dcmjs.ts') },
    ],
  },
  worker: { format: 'es' },
  optimizeDeps: {
    // pako exists in two versions, and an optimized one would be served for both; ours needs no optimizing.
    exclude: ['@cornerstonejs/core', '@cornerstonejs/dicom-image-loader', '@cornerstonejs/metadata', 'pako'],
    include: [
      'pixi.js',
      'pixi.js/unsafe-eval',
      'comlink',
      '@cornerstonejs/codec-openjph/wasmjs',
      '@cornerstonejs/core > @cornerstonejs/utils',
      '@cornerstonejs/core > gl-matrix',
      ...codecs.map((name) => `@cornerstonejs/dicom-image-loader > ${name}`),
    ],
  },
});
