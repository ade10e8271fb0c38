import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTranslation, loadAdministrationTexts, loadAppTexts } from '../../src/views/language/translation.ts';

const root = path.join(import.meta.dirname, '..', '..');
const start = path.join(root, 'src/views/app/signed-in.tsx');

/** Lazy parts that load these texts themselves. */
const withTexts = /lazyAdministration\(\s*async[\s\S]*?\);/g;
const imports = [/^(?:import|export) (?!type )[^;']*from '(\.[^']+\.tsx?)'/gm, /import\('(\.[^']+\.tsx?)'\)/g];

/** The modules that a page without the administration can reach, by path. */
const reachable = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    const source = readFileSync(file, 'utf8').replace(withTexts, '');
    found.set(file, source);
    for (const kind of imports)
      for (const [, target = ''] of source.matchAll(kind)) visit(path.join(path.dirname(file), target));
  };
  visit(start);
  return found;
};

const namespacesOf = (source: string): readonly string[] =>
  [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, named = '']) =>
    [...named.matchAll(/'([\w-]+)'/g)].map(([, namespace = '']) => namespace),
  );

it('uses texts of the administration only in parts that load them', async () => {
  const translation = await createTranslation('en');
  await loadAppTexts(translation);
  const before = new Set(Object.keys(translation.store.data.en ?? {}));
  await loadAdministrationTexts(translation);
  const own = new Set(Object.keys(translation.store.data.en ?? {}).filter((namespace) => !before.has(namespace)));
  expect([...own].sort().slice(0, 3)).toEqual(['azure', 'clinics', 'log']);

  const modules = reachable();
  expect(modules.size).toBeGreaterThan(300);
  const wrong = [...modules].flatMap(([file, source]) =>
    namespacesOf(source)
      .filter((namespace) => own.has(namespace))
      .map((namespace) => `${path.relative(root, file)}: ${namespace}`),
  );
  expect(wrong).toEqual([]);
});
