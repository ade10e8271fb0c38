import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Plugin } from 'vite';

const fileOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const worker = 'service-worker.js';
const sizes = [192, 512] as const;

const manifest = {
  id: '/',
  name: 'Dentarium',
  short_name: 'Dentarium',
  lang: 'sv',
  start_url: '/',
  scope: '/',
  description: 'Dental and medical images',
  display: 'standalone',
  background_color: '#121212',
  theme_color: '#121212',
  icons: sizes.flatMap((size) =>
    ['any', 'maskable'].map((purpose) => ({
      src: `/icon-${purpose}-${size}.png`,
      type: 'image/png',
      sizes: `${size}x${size}`,
      purpose,
    })),
  ),
};

/** Renders the logo as a bitmap; a maskable icon has a margin that the system may crop. */
const icon = async (size: number, purpose: string): Promise<Buffer> => {
  const inner = purpose === 'maskable' ? Math.round(size * 0.7) : size;
  const mark = await sharp(fileOf('./src/views/theme/mark.svg'), { density: (72 * inner) / 32 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  const margin = { before: Math.floor((size - inner) / 2), after: Math.ceil((size - inner) / 2) };
  return sharp(mark)
    .extend({
      top: margin.before,
      left: margin.before,
      bottom: margin.after,
      right: margin.after,
      background: '#0b0b0b',
    })
    .png()
    .toBuffer();
};

/** Vite plugin for the installable web app: manifest, icons and service worker. */
export const webApp = (): Plugin => ({
  name: 'dentarium-web-app',
  apply: 'build',
  transformIndexHtml: () => [
    // A bitmap: for an SVG icon the browser creates a document during start-up.
    { tag: 'link', attrs: { rel: 'icon', href: '/icon-any-192.png', type: 'image/png' }, injectTo: 'head' },
    { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icon-maskable-192.png' }, injectTo: 'head' },
  ],
  async buildStart() {
    this.emitFile({ type: 'chunk', id: fileOf('./src/views/app/shell/service-worker.ts'), fileName: worker });
    this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) });
    for (const { src, purpose } of manifest.icons) {
      const size = Number(/(\d+)\.png$/.exec(src)?.[1]);
      this.emitFile({ type: 'asset', fileName: src.slice(1), source: await icon(size, purpose) });
    }
  },
  generateBundle(_, bundle) {
    const written = bundle[worker];
    if (written?.type !== 'chunk') throw new Error(`The build does not contain ${worker}`);
    if (written.imports.length > 0)
      throw new Error(`${worker} must not import other chunks; it imports ${written.imports}`);
    const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 16);
    written.code = written.code.replace('__BUILD__', build);
  },
});
