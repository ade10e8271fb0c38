import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dropPaths } from '../drop-paths.ts';
import { demoPatient, writeFolder } from '../import-sets.ts';
import { header } from '../pages/header.ts';
import { importPage } from '../pages/import-page.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const lastNames = ['Lindgård', 'Ängström', 'Öhman', 'Sjöstrand', 'Håkansson', 'Åkesson'];
const filesEach = 50;

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-six-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('six folders for six patients at once: the page stays responsive, one confirmation imports all', async ({
  page,
}) => {
  const folders: string[] = [];
  for (const name of lastNames)
    folders.push(await writeFolder(path.join(folder, `Folder ${name}`), demoPatient(name), filesEach, 64));
  await signInAs(page, 'colleague', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  await dropPaths(page, folders);
  await expect(imports.rows()).toHaveCount(lastNames.length);
  // The header responds while they run.
  await header(page).type('fagersk');
  await expect(header(page).hits().first()).toContainText('Fägerskiöld');
  await header(page).press('Escape');
  for (const name of lastNames) await imports.is(`Folder ${name}`, 'needs-decision');
  await imports.importAllReady(6);
  for (const name of lastNames) {
    await imports.is(`Folder ${name}`, 'done');
    await expect(imports.row(`Folder ${name}`)).toContainText(`${filesEach} files imported`);
  }
});
