import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('another program gets tokens by a service account, until it is revoked', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu('Tandkliniken Ljungheden', 'Service accounts (DICOMweb) …');
  const dialog = page.getByRole('dialog', { name: /^Service accounts of/ });
  await expect(dialog.getByText('The clinic has no service account yet.')).toBeVisible();
  await check.isGoodOver('service accounts: none');
  await check.fits('service accounts: none');
  await expect(dialog.getByRole('group', { name: 'Also for other clinics' })).toBeHidden();
  await dialog.getByLabel(/^Name/).fill('OHIF');
  await dialog.getByRole('checkbox', { name: 'Send images' }).click();
  await dialog.getByRole('button', { name: 'Create the service account' }).click();
  const valueIn = (name: string) => dialog.getByRole('textbox', { name, exact: true }).inputValue();
  const secret = await valueIn('Client secret');
  const [address, id] = [await valueIn('Token endpoint'), await valueIn('Client ID')];
  await check.isGoodOver('service accounts: new account');
  await check.fits('service accounts: new account');
  const request = () =>
    page.request.post(address, {
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      form: { grant_type: 'client_credentials' },
    });
  const { access_token, scope } = await (await request()).json();
  expect(scope).toBe('dicomweb.read dicomweb.write');
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await page.request.get(`${new URL(address).origin}/api/Roles`, { headers })).status()).toBe(401);
  await dialog.getByRole('button', { name: 'Revoke the service account “OHIF”' }).click();
  await check.isGoodOver('service accounts: revoke');
  await page
    .getByRole('dialog', { name: /^Revoke/ })
    .getByRole('button', { name: 'Revoke', exact: true })
    .click();
  await expect(dialog.getByText('The clinic has no service account yet.')).toBeVisible();
  expect((await request()).status()).toBe(401);
});

test('a system administrator makes a service account of several clinics', async ({ page }) => {
  const check = accessible(page);
  const admin = administration(page);
  await signInAs(page, 'superAdministrator');
  await admin.openUsers('Tandkliniken Ljungheden');
  await admin.menu('Tandkliniken Ljungheden', 'Service accounts (DICOMweb) …');
  const dialog = page.getByRole('dialog', { name: /^Service accounts of/ });
  const further = dialog.getByRole('group', { name: 'Also for other clinics' });
  const other = further.getByRole('checkbox').first();
  await other.check();
  await dialog.getByLabel(/^Name/).fill('Region');
  await check.isGoodOver('service accounts: further clinics');
  await check.fits('service accounts: further clinics');
  await dialog.getByRole('button', { name: 'Create the service account' }).click();
  await expect(dialog.getByRole('row', { name: /^Region Search and fetch images .+, .+ Never/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Revoke the service account “Region”' }).click();
  const question = page.getByRole('dialog', { name: /^Revoke/ });
  await expect(question).toContainText('of these clinics');
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(dialog.getByText('The clinic has no service account yet.')).toBeVisible();
});
