import { demoPatient, imageOf, numberedPatient } from '../import-sets.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { header } from '../pages/header.ts';
import { importPage } from '../pages/import-page.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('what another program sends goes to its patient, or waits for a user of the clinic', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu('Tandkliniken Ljungheden', 'Service accounts (DICOMweb) …');
  const dialog = page.getByRole('dialog', { name: /^Service accounts of/ });
  await dialog.getByLabel(/^Name/).fill('Panorama 1');
  await dialog.getByRole('checkbox', { name: 'Search and fetch images' }).click();
  await dialog.getByRole('checkbox', { name: 'Send images' }).click();
  await dialog.getByRole('checkbox', { name: /^Import without asking/ }).check();
  await check.isGoodOver('service accounts: import without asking');
  await check.fits('service accounts: import without asking');
  await dialog.getByRole('button', { name: 'Create the service account' }).click();
  const valueIn = (name: string) => dialog.getByRole('textbox', { name, exact: true }).inputValue();
  const credentials = `${await valueIn('Client ID')}:${await valueIn('Client secret')}`;
  const address = await valueIn('DICOMweb address of this clinic');
  const answer = await page.request.post(await valueIn('Token endpoint'), {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    form: { grant_type: 'client_credentials' },
  });
  const { access_token: token } = await answer.json();
  await page.keyboard.press('Escape');

  const hedlund = demoPatient('Hedlund');
  const send = async (study: string, patient: typeof hedlund) => {
    const reply = await page.request.post(`${address}/studies`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/dicom' },
      data: Buffer.from(imageOf(patient, study, 1)),
    });
    expect(reply.status()).toBe(200);
  };
  await send('Certain', numberedPatient('Hedlund'));
  await send('Uncertain', hedlund);
  await send('Of a stranger', { ...hedlund, name: 'Stranger^Some' });

  await page.getByRole('banner').getByRole('link', { name: 'Import', exact: true }).click();
  const list = importPage(page);
  await list.is('From Panorama 1: Uncertain', 'needs-decision');
  await list.is('From Panorama 1: Of a stranger', 'needs-decision');
  await expect(list.rows().filter({ hasText: 'From Panorama 1: ' })).toHaveCount(2);
  await check.isGood('imports: received images', { title: 'Import' });
  await list.importOne('From Panorama 1: Uncertain');
  await list.is('From Panorama 1: Uncertain', 'done');
  const stranger = list.row('From Panorama 1: Of a stranger');
  await stranger.getByRole('button', { name: 'Cancel import' }).first().click();
  await stranger.getByRole('alertdialog').getByRole('button', { name: 'Cancel import' }).click();
  await expect(stranger).toHaveCount(0);

  await header(page).type('hedlund');
  await header(page).pickFirst();
  for (const study of ['Certain', 'Uncertain'])
    await expect(page.getByText(study, { exact: true }).first()).toBeVisible();
  await page.reload();
  await page.getByRole('banner').getByRole('link', { name: 'Import', exact: true }).click();
  await list.isOpen();
  await expect(stranger).toHaveCount(0);

  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu('Tandkliniken Ljungheden', 'Service accounts (DICOMweb) …');
  await dialog.getByRole('button', { name: 'Revoke the service account “Panorama 1”' }).click();
  const question = page.getByRole('dialog', { name: /^Revoke/ });
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(dialog.getByText('The clinic has no service account yet.')).toBeVisible();
});
