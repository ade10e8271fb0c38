import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HtmlTagDescriptor, IndexHtmlTransformContext, Plugin } from 'vite';

/** What everybody needs who is signed in, at once or a moment later. */
const signedInModules = ['views/app/signed-in.tsx', 'wiring/workspace.ts'];
/** Services that load at the first call: one file, because a page that asks for it again after a failure can ask for none below it (lazy-service.ts). */
const serviceModules = ['writes', 'records', 'administration', 'gallery', 'pictures', 'access-log'].map(
  (name) => `services/${name}.ts`,
);
const isOf = (names: readonly string[]) => (id: string) => names.some((name) => id.endsWith(`/src/${name}`));

/**
 * What a page always needs together is one file: on a line with a delay it is their number that takes time. `program` and `screen` are all that the
 * sign-in page needs, `workspace` what comes after it, `services` what forms and dialogs call; each with everything below it that those before do not have.
 */
export const codeSplitting = {
  groups: [
    { name: 'load', test: /vite\/preload-helper|src\/services\/token-storage-key/, priority: 5 },
    { name: 'program', test: isOf(['wiring/start.ts']), priority: 4 },
    { name: 'screen', test: isOf(['views/app/screen.tsx']), priority: 3 },
    { name: 'workspace', test: isOf(signedInModules), priority: 2 },
    { name: 'services', test: isOf(serviceModules), priority: 1 },
  ],
};

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

const styleOf = (bundle: Bundle, name: RegExp): string => {
  const file = Object.keys(bundle).find((one) => name.test(one));
  if (!file) throw new Error(`the build has no ${name}`);
  return file;
};

/** The files that bring a module: the one that it is in, and what that imports. */
const filesOf = (bundle: Bundle, module: string): string[] => {
  const file = Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.some(isOf([module])));
  if (file?.type !== 'chunk') throw new Error(`the build has no ${module}`);
  return [file.fileName, ...file.imports];
};

/** Asked for beside the first script: the program and the looks. Whatever else comes at the same time makes them later on a thin line. */
const firstTags = (bundle: Bundle): HtmlTagDescriptor[] =>
  [
    ...filesOf(bundle, 'wiring/start.ts').map((file) => ({ file, attrs: { rel: 'modulepreload' } })),
    { file: styleOf(bundle, /screen-[\w-]+\.css$/), attrs: { rel: 'stylesheet' } },
  ].map(({ file, attrs }) => ({
    tag: 'link',
    injectTo: 'head',
    attrs: { ...attrs, href: `/${file}`, crossorigin: true },
  }));

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
      handler: (_, { bundle = {} }) => firstTags(bundle),
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
