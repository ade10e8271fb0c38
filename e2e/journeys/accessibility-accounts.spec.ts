import { USERS } from '../../demo/users.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { codeOnScreen } from '../pages/screen-code.ts';
import { demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ withStandIns: true, contextOptions: { reducedMotion: 'reduce' } });

const doctor = USERS.find(({ email }) => email === demoUsers.doctorOfChanges);
if (!doctor) throw new Error('The demo clinic has no such doctor');
const name = `${doctor.firstName} ${doctor.lastName}`;
const elsewhere = 'Tandkliniken Ljungheden';

test('deleting an assigned role, and choosing between two accounts', async ({ page, standIns }) => {
  test.slow();
  const check = accessible(page);
  const admin = administration(page);
  const signIn = signInPage(page);
  await signInAs(page, 'superAdministrator');
  await admin.openRoles();
  await admin.copyRole('Medical personnel', 'Vikarie', '4');
  await admin.openClinics();
  await admin.openUsers(elsewhere);
  await admin.addUser({
    'First name': doctor.firstName,
    'Last name': doctor.lastName,
    'E-mail': 'aino.makela@ljungheden.example',
    Phone: '070-174 06 05',
    'Personal number': doctor.personalNumber.replaceAll('-', ''),
    'Hired since': '2026-02-02',
    Role: 'Vikarie',
    Password: 'Forst-2026!',
  });
  await expect(admin.row(/Mäkelä/)).toBeVisible();

  await admin.openRoles();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Vikarie/ })
    .click();
  await expect(page.getByRole('heading', { level: 2, name: 'Vikarie' })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
  const deletion = page.getByRole('dialog', { name: /^Delete/ });
  const replacement = deletion.getByRole('combobox', { name: /^Replacement role/ });
  await expect(replacement).toBeVisible();
  await deletion.getByRole('button', { name: 'Delete the role' }).click();
  await expect(deletion.getByText('Fill in this field')).toBeVisible();
  await check.isGoodOver('delete a role');
  await check.fits('delete a role');
  await replacement.click();
  await expect(page.getByRole('option', { name: 'Medical personnel' })).toBeVisible();
  await check.isGoodOver('roles to get instead');
  await page.getByRole('option', { name: 'Medical personnel' }).click();
  await deletion.getByRole('button', { name: 'Delete the role' }).click();
  await expect(deletion).toBeHidden();
  await admin.signOut();

  await signIn.choose('bankid');
  const shown = await codeOnScreen(page, 'QR code for the BankID app');
  const order = await standIns?.bankId.scan(shown, doctor.personalNumber);
  await standIns?.bankId.answer(order ?? '', 'yes');
  await expect(page.getByRole('heading', { level: 1, name: 'Choose an account' })).toBeVisible();
  await check.isGood('choice of an account', { title: 'Choose an account' });
  await check.fits('choice of an account');
  await signIn.chooseAccount(elsewhere);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await admin.signOut();

  await signInAs(page, 'superAdministrator');
  await admin.openUsers(elsewhere);
  await admin.menu(name, 'Delete …');
  await admin
    .drawer(/^Delete/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(admin.row(/Mäkelä/)).toBeHidden();
});
