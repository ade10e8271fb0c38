import { USERS } from '../../demo/users.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { codeOnScreen } from '../pages/screen-code.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
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

test('sessions, the lock, sign-in rules, and two-factor authentication that is required', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  const admin = administration(page);
  await signInAs(page, 'doctorElsewhere');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Show devices' }).click();
  await expect(page.getByRole('list', { name: 'Where you are signed in' })).toBeVisible();
  await check.isGoodOver('sessions');
  await check.fits('sessions');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Locked' })).toBeVisible();
  await check.isGoodOver('lock');
  await check.fits('lock');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Locked' })).toBeHidden();
  await admin.signOut();

  await signInAs(page, 'superAdministrator');
  await admin.openClinics();
  await admin.openUsers('Öresunds Tandvård');
  await admin.menu('Öresunds Tandvård', 'Sign-in rules …');
  const rules = page.getByRole('dialog', { name: 'Sign-in rules' });
  const from = rules.getByLabel('Two-factor authentication required from');
  await from.fill('2026-02-30');
  await rules.getByRole('button', { name: 'Save' }).click();
  await check.isGoodOver('sign-in rules');
  await check.fits('sign-in rules');
  await from.fill('2026-01-01');
  await rules.getByRole('button', { name: 'Save' }).click();
  await expect(rules).toBeHidden();
  const elsewherePage = await page
    .context()
    .browser()
    ?.newPage({ baseURL: new URL(page.url()).origin });
  if (!elsewherePage) throw new Error('There is no browser');
  const signIn = signInPage(elsewherePage);
  await signIn.open();
  await signIn.enter(demoUsers.doctorElsewhere, demoPassword);
  await expect(elsewherePage.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
  await accessible(elsewherePage).isGood('required two-factor authentication', {
    title: 'Set up two-factor authentication',
  });
  await accessible(elsewherePage).fits('required two-factor authentication');
  await elsewherePage.close();
  await admin.menu('Öresunds Tandvård', 'Sign-in rules …');
  await from.fill('');
  await rules.getByRole('button', { name: 'Save' }).click();
  await expect(rules).toBeHidden();
});
