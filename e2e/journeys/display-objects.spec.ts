import { displayFile, owner } from '../../tests/dicom/written-objects.ts';
import { smallObject } from '../../tests/server/small-object.ts';
import { dialogs } from '../pages/dialogs.ts';
import { importTray } from '../pages/import-tray.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('a mount that arrives before its image names the gap, and is filled when the image comes', async ({ page }) => {
  await visitPatient(page, 'doctor', 'palmkvist', 'Palmkvist');
  const tray = importTray(page);
  await tray.drop([{ name: 'mount.dcm', bytes: displayFile(undefined, owner) }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await page.getByRole('link', { name: /Full mouth/ }).first().click();
  const slots = page.getByRole('listbox', { name: 'Slots of Full mouth' }).getByRole('option');
  await expect(slots).toHaveCount(2);
  const notice = page.getByText('1 image has not arrived: slot 1.');
  await expect(notice).toBeVisible();

  await tray.drop([{ name: 'image.dcm', bytes: smallObject() }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await expect(notice).toBeHidden();
  await expect(slots.first()).toHaveAccessibleName(/^Slot 1\b(?!.*empty)/);
});

test('a patient goes out with mounts and marks, and the page says what DICOM objects cannot', async ({ page }) => {
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  const { openMenu, menuItem } = dialogs(page);
  await openMenu(await page.getByRole('heading', { level: 1 }).innerText());
  await menuItem('Images for a recipient …').press('Enter');
  const dialog = page.getByRole('dialog', { name: /for a recipient$/ });
  await expect(dialog.getByRole('textbox', { name: /^Recipient/ })).toBeFocused();
  await page.keyboard.type('Folktandvården');
  await dialog.getByRole('combobox', { name: 'Content' }).selectOption('DICOM folder with DICOMDIR');
  await dialog.getByRole('checkbox', { name: /^Also mounts and marks/ }).press('Space');
  await dialog.getByRole('checkbox', { name: /^Encrypt/ }).press('Space');
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Download/ }).press('Enter');
  const file = await (await coming).path();
  expect(file).not.toBe('');
});
