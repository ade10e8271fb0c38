import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { dropPaths } from '../drop-paths.ts';
import { demoPatient, writeFolder } from '../import-sets.ts';
import { importPage } from '../pages/import-page.ts';
import { signInAs } from '../pages/sign-in.ts';
import { slowNetwork } from '../slow-network.ts';
import { expect, test } from '../test.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-recovery-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const cut = async (context: BrowserContext, page: Page, name: string): Promise<void> => {
  await context.setOffline(true);
  await expect(importPage(page).row(name)).toContainText(/Waiting for the connection|Needs your decision/);
  await context.setOffline(false);
};

test('an import continues after the network fails during upload', async ({ page, context }) => {
  await writeFolder(path.join(folder, 'Cut line'), demoPatient('Sandström'), 40, 160);
  await signInAs(page, 'doctor', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  await slowNetwork(page, 300_000);
  await dropPaths(page, [path.join(folder, 'Cut line')]);
  await expect(imports.row('Cut line')).toContainText(/[1-9]\d? of 40 files/);
  await cut(context, page, 'Cut line');
  await slowNetwork(page, 0);
  await imports.is('Cut line', 'needs-decision');
  await context.setOffline(true);
  await context.setOffline(false);
  await imports.importOne('Cut line');
  await imports.is('Cut line', 'done');
  await expect(imports.row('Cut line')).toContainText('40 files imported');
});

test('after a reload during upload the import continues; no file is uploaded twice', async ({ page }) => {
  await writeFolder(path.join(folder, 'Reloaded'), demoPatient('Hedlund'), 40, 160);
  await signInAs(page, 'doctor', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  await slowNetwork(page, 300_000);
  await dropPaths(page, [path.join(folder, 'Reloaded')]);
  await expect(imports.row('Reloaded')).toContainText(/[1-9]\d? of 40 files/);
  await page.reload();
  await expect(imports.row('Reloaded')).toContainText(/of 40 files/);
  await imports.is('Reloaded', 'needs-decision');
  await imports.importOne('Reloaded');
  await imports.is('Reloaded', 'done');
  await expect(imports.row('Reloaded')).toContainText('40 files imported');
  await expect(imports.rows()).toHaveCount(1);
});

test('after the server is killed at each step of an import, the import completes', async ({ page, archive }) => {
  await writeFolder(path.join(folder, 'Killed'), demoPatient('Tärnfors'), 60, 160);
  await signInAs(page, 'doctor', '/import');
  const imports = importPage(page);
  await imports.isOpen();
  const row = imports.row('Killed');
  await slowNetwork(page, 300_000);
  await dropPaths(page, [path.join(folder, 'Killed')]);
  await expect(row).toContainText(/[1-9]\d? of 60 files/);
  await archive.killAndRestart();
  await slowNetwork(page, 0);
  await imports.is('Killed', 'needs-decision');
  await archive.killAndRestart();
  await imports.is('Killed', 'needs-decision');
  await imports.importOne('Killed');
  await archive.killAndRestart();
  await imports.is('Killed', 'done');
  await expect(row).toContainText('60 files imported');
});
