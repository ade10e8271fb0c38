import { type FixtureName, fixtureFile } from '../server/demo/fixtures.ts';
import type { OfferedFile } from './pages/import-tray.ts';

/** Fixtures as files that a person drops. */
export const offered = (names: readonly FixtureName[]): Promise<OfferedFile[]> =>
  Promise.all(names.map(async (name) => ({ name: `${name}.dcm`, bytes: await fixtureFile(name) })));
