import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const rows = [
  'Förnamn;Efternamn;E-post;Telefon;Personnummer;Anställd sedan;Roll',
  'Alma;Rad;alma.rad@norrsken.example;070-174 06 05;198001019804;2026-02-02;Vårdpersonal',
  'Bo;Rad;bo.rad@norrsken.example;070-174 06 05;198001019805;2026-02-02;Vårdpersonal',
  'Cia;Rad;alma.rad@norrsken.example;070-174 06 05;198001019804;2026-02-02;Vårdpersonal',
  'Dan;Rad;dan.rad@norrsken.example;070-174 06 05;198001019804;2026-02-02;Klinikägare',
];
const file = { name: 'personal.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };

test('users are imported from a file, once', async ({ page }) => {
  const check = accessible(page);
  const admin = administration(page);
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  const open = () => admin.menu('Tandkliniken Ljungheden', 'Import users from a file …');
  await open();
  const dialog = page.getByRole('dialog', { name: /^Import users to/ });
  await expect(dialog.getByRole('button', { name: 'Download a template' })).toBeVisible();
  await check.isGoodOver('import users: choice');
  await check.fits('import users: choice');
  await page.getByTestId('user-file').setInputFiles(file);
  await expect(dialog.getByRole('row', { name: /^2 Alma Rad/ })).toContainText('Will be added');
  await expect(dialog.getByRole('row', { name: /^3 Bo/ })).toContainText('The check digit is wrong');
  await expect(dialog.getByRole('row', { name: /^4 Cia/ })).toContainText('Row 2 has the same address');
  await expect(dialog.getByRole('row', { name: /^5 Dan/ })).toContainText('Klinikägare');
  await check.isGoodOver('import users: preview');
  await check.fits('import users: preview');
  await dialog.getByRole('button', { name: 'Create 1 user' }).click();
  await expect(dialog.getByRole('button', { name: 'Download the list of links' })).toBeVisible();
  await check.isGoodOver('import users: result');
  await check.fits('import users: result');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(admin.row(/Alma Rad/)).toContainText('Invited');

  await open();
  await page.getByTestId('user-file').setInputFiles(file);
  await expect(dialog.getByRole('row', { name: /^2 Alma Rad/ })).toContainText('Already a user of the clinic');
  await expect(dialog.getByRole('button', { name: /^Create/ })).toBeHidden();
});

test('the directory of a clinic is connected by a token', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await page.getByRole('link', { name: 'Clinic', exact: true }).click();
  await administration(page).menu('Tandkliniken Ljungheden', 'Directory (SCIM) …');
  const dialog = page.getByRole('dialog', { name: /^Directory of/ });
  await expect(dialog.getByText('The clinic has no token yet.')).toBeVisible();
  await check.isGoodOver('directory: no token');
  await dialog.getByLabel(/^Name/).fill('Entra ID');
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  const address = await dialog.getByLabel('Address of the service').inputValue();
  const secret = await dialog.getByRole('textbox', { name: 'The token' }).inputValue();
  await check.isGoodOver('directory: new token');
  await check.fits('directory: new token');
  const users = () => page.request.get(`${address}/Users`, { headers: { authorization: `Bearer ${secret}` } });
  const { Resources } = await (await users()).json();
  expect(Resources.map(({ displayName }: { displayName: string }) => displayName)).toContain('Göran Åkerblom');
  await dialog.getByRole('button', { name: 'Revoke the token “Entra ID”' }).click();
  await check.isGoodOver('directory: revoke a token');
  await page
    .getByRole('dialog', { name: /^Revoke/ })
    .getByRole('button', { name: 'Revoke', exact: true })
    .click();
  await expect(dialog.getByText('The clinic has no token yet.')).toBeVisible();
  expect((await users()).status()).toBe(401);
});
