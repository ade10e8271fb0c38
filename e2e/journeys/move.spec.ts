import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { dropPaths } from '../drop-paths.ts';
import { demoPatient, writeFolder } from '../import-sets.ts';
import { dialogs } from '../pages/dialogs.ts';
import { importPage } from '../pages/import-page.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-move-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** Imports a folder on the import page; `decide` makes the decisions before it is confirmed. */
const importFolder = async (page: Page, files: string, decide: () => Promise<void> = async () => {}) => {
  const imports = importPage(page);
  await page.goto('/import');
  await imports.isOpen();
  await dropPaths(page, [files]);
  const name = path.basename(files);
  await imports.is(name, 'needs-decision');
  await imports.showStudies(name);
  await decide();
  await imports.importOne(name);
  await imports.is(name, 'done');
  return imports.row(name);
};

/** Completes the dialog by keyboard, from the first field to the confirmation. */
const moveByKeys = async (page: Page, title: string, search: string | null) => {
  const dialog = page.getByRole('dialog', { name: title });
  if (search !== null) {
    await expect(dialog.getByLabel('Find the other patient')).toBeFocused();
    await page.keyboard.type(search);
    await expect(page.getByRole('listbox', { name: 'Patients found' }).getByRole('option').first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  const box = dialog.getByRole('checkbox');
  await expect(box).toBeFocused();
  await page.keyboard.press('Space');
  const move = dialog.getByRole('button', { name: 'Move', exact: true });
  await expect(move).toBeEnabled();
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab');
    if (await move.evaluate((button) => button === document.activeElement)) break;
  }
  await expect(move).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
};

const study = (page: Page, name: string) => dialogs(page).panel.getByRole('heading', { level: 2, name });

test('a study of the wrong patient is moved, shown with both patients, and moved back; also its files and from the recycle bin', async ({
  page,
}) => {
  test.slow();
  const name = 'Folder wrong patient';
  const files = await writeFolder(path.join(folder, 'wrong patient'), demoPatient('Järvinen'), 2);
  await signInAs(page, 'clinicAdministrator', '/import');
  await importFolder(page, files);

  await findPatient(page, 'jarvinen', 'Järvinen');
  await expect(study(page, name)).toBeVisible();
  await dialogs(page).openMenu(/^More actions for 2026-04-01 Folder wrong patient/);
  await dialogs(page).choose('Move to another patient');
  await expect(page.getByRole('dialog').getByText('Päivi Järvinen')).toBeVisible();
  await moveByKeys(page, 'Move study to another patient', 'strömbäck');
  await expect(study(page, name)).toBeHidden();
  await page.getByRole('link', { name: 'Open patient' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Strömbäck');
  await expect(study(page, name)).toBeVisible();

  // One image is moved back to its patient, and undone.
  await dialogs(page).openImageMenu(0);
  await dialogs(page).choose('Move to another patient');
  await moveByKeys(page, 'Move image to another patient', 'järvinen');
  await dialogs(page).undo();
  await expect(page.getByText(/is moved back to Annika Strömbäck/)).toBeVisible();

  // The whole study is moved back with the same dialog.
  await dialogs(page).openMenu(/^More actions for 2026-04-01 Folder wrong patient/);
  await dialogs(page).choose('Move to another patient');
  const dialog = page.getByRole('dialog', { name: 'Move study to another patient' });
  await dialog.getByLabel('Find the other patient').fill('järvinen');
  await page.getByRole('option', { name: /Järvinen/ }).click();
  await expect(dialog.getByText('The files contain the name Päivi Järvinen.')).toBeVisible();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(study(page, name)).toBeHidden();
  await findPatient(page, 'jarvinen', 'Järvinen');
  await expect(study(page, name)).toBeVisible();
  await expect(patientPage(page).images()).not.toHaveCount(0);

  // In the recycle bin of one patient and imported for another: moving it is offered.
  await dialogs(page).openMenu(/^More actions for 2026-04-01 Folder wrong patient/);
  await dialogs(page).choose('Delete study');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(study(page, name)).toBeHidden();
  await importFolder(page, files, async () => {
    const card = importPage(page).study(name);
    await card.card.getByRole('button', { name: 'Choose another patient' }).click();
    await card.findPatient('strömbäck');
    await expect(card.card.getByText('The study is in the recycle bin and belongs to Päivi Järvinen')).toBeVisible();
    await card.card.getByRole('button', { name: 'Move the study from Päivi Järvinen to Annika Strömbäck' }).click();
    await expect(page.getByRole('dialog').getByText(/It is in the recycle bin/)).toBeVisible();
    await moveByKeys(page, 'Move study to another patient', null);
    await expect(card.card.getByText(/is in the recycle bin and belongs to/)).toBeHidden();
  });

  // In the recycle bin of the same patient: restored, with a note.
  await findPatient(page, 'stromback', 'Strömbäck');
  await dialogs(page).openMenu(/^More actions for 2026-04-01 Folder wrong patient/);
  await dialogs(page).choose('Delete study');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(study(page, name)).toBeHidden();
  const row = await importFolder(page, files, async () => {
    const card = importPage(page).study(name);
    await card.card.getByRole('button', { name: 'Choose another patient' }).click();
    await card.findPatient('strömbäck');
    await expect(card.card.getByText('2 images are in the recycle bin. The import restores them.')).toBeVisible();
    await card.card.getByRole('button', { name: 'Import to Annika Strömbäck although the files contain' }).click();
  });
  await expect(row).toContainText('2 restored from the recycle bin');
  await findPatient(page, 'stromback', 'Strömbäck');
  await expect(study(page, name)).toBeVisible();
});
