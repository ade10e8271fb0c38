import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dropPaths } from '../drop-paths.ts';
import { demoPatient, writeFolder } from '../import-sets.ts';
import { header } from '../pages/header.ts';
import { importTray } from '../pages/import-tray.ts';
import { signInAs } from '../pages/sign-in.ts';
import { slowNetwork } from '../slow-network.ts';
import { expect, test } from '../test.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-leftover-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('an upload interrupted by closing the browser is found and finished in the next session', async ({
  browser,
  baseURL,
}) => {
  await writeFolder(path.join(folder, 'Left'), demoPatient('Thorlund'), 120, 160);
  const first = await browser.newPage({ baseURL });
  await signInAs(first, 'doctorElsewhere');
  await header(first).type('thorlu');
  await header(first).pickFirst();
  const patientPath = new URL(first.url()).pathname;
  await slowNetwork(first, 500_000);
  await dropPaths(first, [path.join(folder, 'Left')]);
  await expect(importTray(first).rows().first()).toContainText(/[1-9]\d* of 120 files/);
  // Closing the browser also discards everything it stored for the upload.
  await first.close();

  const second = await browser.newPage({ baseURL });
  await signInAs(second, 'doctorElsewhere', patientPath);
  const row = importTray(second).rows().first();
  await expect(row).toContainText(/[1-9]\d* of 120 files were uploaded before the upload stopped/);
  await second.getByRole('button', { name: 'Import uploaded files', exact: true }).click();
  await importTray(second).isDone();
  await expect(row).toContainText(/[1-9]\d* files imported/);
  await expect(importTray(second).rows()).toHaveCount(1);
  await second.close();
});
