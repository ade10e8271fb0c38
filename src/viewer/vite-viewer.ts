import type { UserConfig } from 'vite';

const pathOf = (relative: string) => decodeURIComponent(new URL(relative, import.meta.url).pathname);
const core = pathOf('../../node_modules/@cornerstonejs/core/dist/');
const loader = pathOf('../../node_modules/@cornerstonejs/dicom-image-loader/dist/');

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
      { find: /^@cornerstonejs\/core\/dist\//, replacement: core },
      { find: /^@cornerstonejs\/dicom-image-loader\/dist\//, replacement: loader },
      { find: /^@cornerstonejs\/metadata$/, replacement: pathOf('./decode/cornerstone/metadata.ts') },
      { find: /^dcmjs$/, replacement: pathOf('./decode/cornerstone/dcmjs.ts') },
    ],
  },
  worker: { format: 'es' },
  optimizeDeps: {
    // pako: two versions, of which a prepared one would be given to both that ask; ours needs no preparing.
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
