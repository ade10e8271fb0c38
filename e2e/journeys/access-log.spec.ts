import { readFile } from 'node:fs/promises';
import { dialogs } from '../pages/dialogs.ts';
import { header } from '../pages/header.ts';
import { signInAs } from '../pages/sign-in.ts';
import { findPatient, visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('an administrator sees who viewed a patient’s images and downloads the extract', { tag: '@quick' }, async ({
  page,
}) => {
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  await header(page).signOut();
  await signInAs(page, 'clinicAdministrator');
  await findPatient(page, 'nystrom', 'Nyström');
  const menu = dialogs(page);
  await menu.openMenu('Freja Nyström');
  await menu.choose('Who has accessed this?');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Freja Nyström/);
  await expect(page.getByRole('row', { name: /Maja Lindqvist/ }).first()).toBeVisible();
  // The URL contains only the id of the patient.
  expect(decodeURIComponent(page.url())).not.toMatch(/Nystr|Freja|\d{8}-?\d{4}/);

  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect(file.suggestedFilename()).not.toMatch(/nystr|freja|\d{8}-?\d{4}/i);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines.filter((line) => line.includes('Maja Lindqvist')).length).toBeGreaterThan(0);

  await header(page).chooseSetting('Access log');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access log');
  await expect(page.getByRole('row', { name: /Göran Åkerblom/ }).first()).toBeVisible();
});
