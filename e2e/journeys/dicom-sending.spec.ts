import { freePort } from '../../tests/free-port.ts';
import { startDicomDevice } from '../dicom-device.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { dialogs } from '../pages/dialogs.ts';
import { header } from '../pages/header.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('images of a patient and of a study go to a device that is off at first', async ({ page }) => {
  const check = accessible(page);
  const port = await freePort();
  await signInAs(page, 'clinicAdministrator');
  const openDevices = async () => {
    await page.getByRole('link', { name: 'Clinic', exact: true }).click();
    await administration(page).menu('Tandkliniken Ljungheden', 'DICOM devices (AE titles) …');
    return page.getByRole('dialog', { name: /^DICOM devices of/ });
  };
  const devices = await openDevices();
  await devices.getByLabel(/^Name/).fill('Specialist');
  await devices.getByRole('textbox', { name: /^AE title( \*)?$/ }).fill('OMS');
  await devices.getByLabel(/^IP address/).fill('127.0.0.1');
  await devices.getByLabel(/^Port of the device/).fill(String(port));
  await devices.getByRole('button', { name: 'Add the device' }).click();
  await expect(devices.getByRole('row', { name: /^Specialist OMS/ })).toBeVisible();
  const change = devices.getByRole('button', { name: 'Change the device “Specialist”' });
  await change.press('Enter');
  await expect(devices.getByLabel(/^Name/)).toBeFocused();
  await devices.getByLabel('Ask it to confirm what it has stored').check();
  await check.isGoodOver('a device is changed');
  await check.fits('a device is changed');
  await devices.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(devices.getByRole('status')).toHaveText('“Specialist” is changed.');
  await expect(change).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(devices).toBeHidden();

  await header(page).type('nyström');
  await header(page).pickFirst();
  const { panel, openMenu, menuItem } = dialogs(page);
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await openMenu(name);
  await menuItem('Send to a device …').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send to a device' });
  await expect(dialog.getByRole('radio', { name: /^Specialist/ })).toBeChecked();
  await check.isGoodOver('send to a device');
  await check.fits('send to a device');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog).toBeHidden();

  const tray = page.getByRole('region', { name: 'Imports and transfers' });
  const rows = tray.getByRole('listitem', { name: 'To Specialist' });
  await expect(rows).toContainText('Specialist does not answer, or the connection was lost. Another attempt follows.');
  await check.isGoodOver('images to devices: waiting');
  await check.fits('images to devices: waiting');
  const device = await startDicomDevice(port);
  try {
    await expect(rows).toContainText('Done', { timeout: 60_000 });
    const text = (await rows.innerText()).match(/Sent (\d+) of (\d+) images/);
    expect(text?.[1]).toBe(text?.[2]);
    expect(device.stored.size).toBe(Number(text?.[2]));
    expect(device.stored.size).toBeGreaterThan(1);
    // It stores, and knows no storage commitment.
    await expect(rows).toContainText('Specialist took the images, but does not confirm that it has stored them.', {
      timeout: 30_000,
    });
    await check.isGoodOver('images to devices: done');

    await panel
      .getByRole('button', { name: /^More actions for \d{4}-\d\d-\d\d / })
      .first()
      .press('Enter');
    await menuItem('Send to a device …').press('Enter');
    await dialog.getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText('Done', { timeout: 60_000 });
    for (const left of [1, 0]) {
      await rows.first().getByRole('button', { name: 'Remove “To Specialist” from the list' }).click();
      await expect(rows).toHaveCount(left);
    }
  } finally {
    await device.close();
  }

  await openDevices();
  await devices.getByRole('button', { name: 'Remove the device “Specialist”' }).click();
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await expect(devices.getByText('The clinic has no DICOM device yet.')).toBeVisible();
});
