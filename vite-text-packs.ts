import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import type {} from 'vitest/config';

/** Packs other than that of the pages behind sign-in, by the namespace that a pack is imported as. */
const others: Readonly<Record<string, { readonly page: string; readonly namespaces: readonly string[] }>> = {
  shell: { page: 'initial', namespaces: ['failure', 'roles', 'shell', 'sign-in'] },
  interaction: { page: 'auth', namespaces: ['bank-id', 'interaction', 'password', 'reset-password', 'setup'] },
  help: { page: 'help', namespaces: ['help'] },
  shared: { page: 'shared', namespaces: ['modality', 'shared'] },
  users: {
    page: 'administration',
    namespaces: [
      'azure',
      'clinics',
      'log',
      'monitor',
      'policy',
      'quality',
      'reviews',
      'role-admin',
      'statistics',
      'system',
      'system-details',
      'two-factor',
      'users',
    ],
  },
};

/** Not in the pack of the pages behind sign-in. The last three are imported where they are used. */
const notInApp = new Set([
  ...Object.values(others).flatMap(({ namespaces }) => namespaces),
  'error-report',
  'new-version',
  'offline',
]);
// The pages behind sign-in have password rules and kinds of images too.
for (const namespace of ['password', 'modality']) notInApp.delete(namespace);

const pack = /\/locales\/(\w+)\/([\w-]+)\.json\?pack$/;

/** Names the file of a pack by language and page: `sv-initial`. */
export const chunkFileNames = ({ facadeModuleId }: { readonly facadeModuleId: string | null }): string => {
  const [, language, name = ''] = pack.exec(facadeModuleId ?? '') ?? [];
  return `assets/${language ? `${language}-${others[name]?.page ?? 'app'}` : '[name]'}-[hash].js`;
};

/** Makes one module of texts that are loaded together: `locales/sv/shell.json?pack` contains those of the sign-in page, by namespace. */
export const textPacks = (): Plugin => ({
  name: 'dentarium-text-packs',
  enforce: 'pre',
  // Vitest caches modules by their own text; a pack has none, so changed texts would not be seen.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (pack.test(id) ? false : undefined)),
  load: {
    filter: { id: pack },
    handler(id) {
      const [folder, name] = [path.dirname(id), path.basename(id, '.json?pack')];
      const all = readdirSync(folder).map((file) => path.basename(file, '.json'));
      const namespaces = others[name]?.namespaces ?? all.filter((namespace) => !notInApp.has(namespace));
      const texts = namespaces.map((namespace) => {
        const file = path.join(folder, `${namespace}.json`);
        this.addWatchFile(file);
        return [namespace, JSON.parse(readFileSync(file, 'utf8'))];
      });
      return { code: JSON.stringify(Object.fromEntries(texts)), moduleType: 'json' };
    },
  },
});
