import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { coverFolder, writeWalked } from './folder.ts';
import { observeActors } from './observe.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

/** Set-up file of Vitest for coverage: runs before each test file. */
const folder = coverFolder();
if (folder) {
  const file = path.relative(root, expect.getState().testPath ?? '').replaceAll(path.sep, '/');
  const records = observeActors(file.startsWith('tests/views/') ? 'views' : 'rules');
  afterAll(() => {
    for (const [kind, record] of records) {
      const machines = record.walked();
      if (Object.keys(machines).length > 0) writeWalked(folder, { file, kind, machines });
    }
  });
}
