import { freePort } from '../../tests/free-port.ts';
import { objectAt } from '../../tests/server/dicomweb-under-test.ts';
import { removeDataFolder, startArchive } from '../archive.ts';
import { copyDemoFolder } from '../demo-folder.ts';
import { startDicomArchive } from '../dicom-archive.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { dialogs } from '../pages/dialogs.ts';
import { header } from '../pages/header.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const clinic = 'Tandkliniken Ljungheden';
const stranger = { PatientID: '19770707-7777', PatientName: 'Nystrom^Another', PatientBirthDate: '19770707' };
const study = { StudyDescription: 'From elsewhere', StudyDate: '20260102', ...stranger };

test('a study of another archive is fetched into a patient, whom the user confirms', async ({ browser }) => {
  const port = await freePort();
  const folder = await copyDemoFolder();
  const archive = await startArchive(folder);
  const page = await browser.newPage({ baseURL: archive.url, locale: 'en-GB', reducedMotion: 'reduce' });
  const check = accessible(page);
  const files = [1, 2].map((number) => objectAt('2.25.701', study, number));
  const other = await startDicomArchive(port, files);
  try {
    await signInAs(page, 'clinicAdministrator');
    await page.getByRole('link', { name: 'Clinic', exact: true }).click();
    await administration(page).menu(clinic, 'DICOM devices (AE titles) …');
    const devices = page.getByRole('dialog', { name: /^DICOM devices of/ });
    await devices.getByLabel(/^Name/).fill('Hospital');
    await devices.getByRole('textbox', { name: /^AE title( \*)?$/ }).fill('PACS');
    await devices.getByLabel(/^IP address/).fill('127.0.0.1');
    await devices.getByLabel(/^Port of the device/).fill(String(port));
    await devices.getByRole('button', { name: 'Add the device' }).click();
    await expect(devices.getByRole('row', { name: /^Hospital PACS/ })).toBeVisible();
    await page.keyboard.press('Escape');

    await header(page).type('nyström');
    await header(page).pickFirst();
    const { panel, openMenu, menuItem } = dialogs(page);
    await openMenu(await page.getByRole('heading', { level: 1 }).innerText());
    await menuItem('Fetch from another archive …').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Fetch from another archive' });
    await dialog.getByRole('button', { name: 'Search', exact: true }).press('Enter');
    const found = dialog.getByRole('checkbox', { name: '2026-01-02 From elsewhere' });
    await expect(found).toBeVisible();
    await expect(
      dialog.getByText('Hospital has another patient with it: personal number, name, birth date.'),
    ).toBeVisible();
    await expect(dialog.getByRole('row', { name: /^Personal number 19770707-7777/ })).toBeVisible();
    await found.press('Space');
    const fetch = dialog.getByRole('button', { name: 'Fetch 1 study' });
    await expect(fetch).toBeDisabled();
    await check.isGoodOver('fetch from another archive');
    await check.fits('fetch from another archive');
    await dialog.getByRole('checkbox', { name: /^This is the same patient/ }).press('Space');
    await fetch.press('Enter');
    await expect(dialog).toBeHidden();

    const tray = page.getByRole('region', { name: 'Imports and transfers' });
    const row = tray.getByRole('listitem', { name: 'From Hospital' });
    await expect(row).toContainText('Done', { timeout: 60_000 });
    await expect(row).toContainText('Fetched 2 of 2 images');
    await check.isGoodOver('studies from other archives');
    await check.fits('studies from other archives');
    await expect(panel.getByText('From elsewhere')).toBeVisible();
  } finally {
    await page.close();
    await other.close();
    await archive.stop();
    await removeDataFolder(folder);
  }
});
