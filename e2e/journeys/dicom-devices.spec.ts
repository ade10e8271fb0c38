import { freePort } from '../../tests/free-port.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a clinic administrator adds, tests and removes a DICOM device', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu('Tandkliniken Ljungheden', 'DICOM devices (AE titles) …');
  const dialog = page.getByRole('dialog', { name: /^DICOM devices of/ });
  await expect(dialog.getByText('The clinic has no DICOM device yet.')).toBeVisible();
  await expect(dialog.getByLabel('AE title of the archive')).toHaveValue('DENTARIUM');
  await check.isGoodOver('DICOM devices: none');
  await check.fits('DICOM devices: none');
  const add = async (fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: false }).fill(value);
  };
  await add({ Name: 'Panorama', 'IP address': '127.0.0.1', 'Port of the device': String(await freePort()) });
  await dialog.getByRole('textbox', { name: /^AE title( \*)?$/ }).fill('OPG');
  await dialog.getByLabel('May search and fetch the images of the clinic').check();
  await dialog.getByLabel('May send images to the clinic').check();
  await dialog.getByLabel(/^Import without asking/).check();
  await check.isGoodOver('DICOM devices: form');
  await dialog.getByRole('button', { name: 'Add the device' }).click();
  await expect(dialog.getByRole('row', { name: /^Panorama OPG 127\.0\.0\.1, port \d+ .* Never/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Test the connection to “Panorama”' }).click();
  await expect(dialog.getByText(/^“Panorama” does not answer/)).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Did not answer/ })).toBeVisible();
  await check.isGoodOver('DICOM devices: tested');
  await check.fits('DICOM devices: tested');
  await dialog.getByRole('button', { name: 'Remove the device “Panorama”' }).click();
  await check.isGoodOver('DICOM devices: remove');
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await expect(dialog.getByText('The clinic has no DICOM device yet.')).toBeVisible();
});
