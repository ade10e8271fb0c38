import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { decryptedZip } from '../../tests/decrypted-zip.ts';
import { unzipped } from '../../tests/server/unzipped.ts';
import { dialogs } from '../pages/dialogs.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** Returns the next file that the browser saves. */
const savedBy = async (page: Page, act: () => Promise<void>): Promise<Buffer> => {
  const coming = page.waitForEvent('download');
  await act();
  return buffer(createReadStream(await (await coming).path()));
};

const choose = async (page: Page, content: string) => {
  const dialog = page.getByRole('dialog', { name: /for a recipient$/ });
  await expect(dialog.getByRole('textbox', { name: /^Recipient/ })).toBeFocused();
  await page.keyboard.type('Folktandvården');
  await dialog.getByRole('combobox', { name: 'Content' }).selectOption(content);
  return dialog;
};

test('a patient goes out as a DICOM folder, and a study as an anonymised copy', async ({ page }) => {
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  const { panel, openMenu, menuItem } = dialogs(page);
  const name = await page.getByRole('heading', { level: 1 }).innerText();

  await openMenu(name);
  await menuItem('Images for a recipient …').press('Enter');
  const whole = await choose(page, 'DICOM folder with DICOMDIR');
  const encrypted = await savedBy(page, () => whole.getByRole('button', { name: /^Download/ }).press('Enter'));
  const password = await whole.getByRole('textbox', { name: /^Password of images-/ }).inputValue();
  const medium = new Map(await decryptedZip(encrypted, password));
  const listed = readDirectory(readDicomFile(medium.get('DICOMDIR') ?? Buffer.of())).map(({ path }) => path.join('/'));
  expect(listed).toEqual([...medium.keys()].filter((file) => file !== 'DICOMDIR'));
  expect(listed.length).toBeGreaterThan(1);
  const patientName = readDicomFile(medium.get(listed[0] ?? '') ?? Buffer.of()).dataSet.text(0x00100010);
  expect(patientName).toContain('Nyström');
  await whole.getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(whole).toBeHidden();

  await panel
    .getByRole('button', { name: /^More actions for \d{4}-\d\d-\d\d / })
    .first()
    .press('Enter');
  await menuItem('Images for a recipient …').press('Enter');
  const copy = await choose(page, 'Anonymised copy');
  const download = copy.getByRole('button', { name: /^Download/ });
  const seen = copy.getByRole('checkbox', { name: 'I have looked at the images' });
  await copy.getByRole('checkbox', { name: /^Encrypt/ }).press('Space');
  await expect(seen).toBeVisible();
  await expect(download).toBeDisabled();
  await seen.press('Space');
  const zip = await savedBy(page, () => download.press('Enter'));
  await expect(copy).toBeHidden();
  const files = await unzipped(zip);
  expect(files.length).toBeGreaterThan(1);
  for (const [, bytes] of files) expect(readDicomFile(bytes).dataSet.text(0x00100010) ?? 'ANON001').toBe('ANON001');
  expect(zip.includes('Nyström')).toBe(false);
});
