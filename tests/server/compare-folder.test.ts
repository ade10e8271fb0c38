import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareFolder } from '../../server/archive-folder/compare-folder.ts';
import { openArchiveFolder } from '../../server/archive-folder/open-folder.ts';
import { readArchiveFiles } from '../../server/db/stores/archive-files.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-compare-'));
  database = await testDatabase();
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a disk that is unmounted while it is compared is an empty folder, not an older copy', async () => {
  const root = path.join(folder, 'files');
  await openArchiveFolder(database.db, root);
  const counter = path.join(root, 'archive-generation');
  rmSync(counter);
  // A reader of a named pipe waits for a writer: the comparison stops between the id and the counter.
  expect(spawnSync('mkfifo', [counter]).status).toBe(0);
  const match = compareFolder(database.db, root, await readArchiveFiles(database.db));
  const writer = await open(counter, 'w');
  renameSync(root, `${root}.away`);
  mkdirSync(root);
  await writer.close();
  expect(await match).toEqual({ kind: 'empty' });
});
