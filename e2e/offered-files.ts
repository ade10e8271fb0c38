import { type FixtureName, fixtureFile } from '../demo/fixtures.ts';
import type { OfferedFile } from './pages/import-tray.ts';

/** Returns fixtures as files to drop. */
export const offered = (names: readonly FixtureName[]): Promise<OfferedFile[]> =>
  Promise.all(names.map(async (name) => ({ name: `${name}.dcm`, bytes: await fixtureFile(name) })));
