import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** What everybody needs who is signed in, at once or a moment later. */
const ofRooms = [
  'views/signed-in.tsx',
  'views/drafts/draft-offers.tsx',
  'views/drafts/waiting-changes.tsx',
  'views/import/drop-anywhere.tsx',
  'wiring/rooms.ts',
];
const isOf = (names: readonly string[]) => (id: string) => names.some((name) => id.endsWith(`/src/${name}`));

/**
 * What a page always needs together is one file: on a line with a delay it is their number that takes time. `start` is all that the sign-in page
 * needs, `rooms` what comes after it; each with everything below it that the one before does not have.
 */
export const codeSplitting = {
  groups: [
    { name: 'start', test: isOf(['main.tsx']), priority: 2 },
    { name: 'account', test: isOf(['wiring/account.ts']), priority: 2 },
    { name: 'rooms', test: isOf(ofRooms), priority: 1 },
  ],
};

/** Asked for beside the program, not after it: the letters of our languages, and the words of a first visit. */
const ahead = [
  { file: /inter-latin-wght-normal-[\w-]+\.woff2$/, attrs: { rel: 'preload', as: 'font', type: 'font/woff2' } },
  { file: /sv-entry-[\w-]+\.js$/, attrs: { rel: 'modulepreload' } },
];

const shrinks = /\.(js|css|svg|json|webmanifest)$/;
const threshold = 1_024;
const brotli = promisify(brotliCompress);
const smallest = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/** Makes a first visit short: hints in the page, and each file compressed once, as small as it can be, rather than at each call. */
export const firstVisit = (): Plugin => {
  let folder = '';
  return {
    name: 'dentarium-first-visit',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        ahead.map(({ file, attrs }) => {
          const name = Object.keys(bundle ?? {}).find((one) => file.test(one));
          if (!name) throw new Error(`the build has no ${file}`);
          return { tag: 'link', attrs: { ...attrs, href: `/${name}`, crossorigin: true }, injectTo: 'head' as const };
        }),
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true });
      const files = names.filter((name) => shrinks.test(name)).map((name) => path.join(folder, name));
      await Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(file);
          if (bytes.length < threshold) return;
          for (const [ending, shrink] of Object.entries(smallest))
            await writeFile(`${file}.${ending}`, await shrink(bytes));
        }),
      );
    },
  };
};
