import { USERS } from '../../server/demo/people.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { codeOnScreen } from '../pages/screen-code.ts';
import { people, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ withStandIns: true, contextOptions: { reducedMotion: 'reduce' } });

const doctor = USERS.find(({ email }) => email === people.doctorOfChanges);
if (!doctor) throw new Error('the demo has no such doctor');
const name = `${doctor.firstName} ${doctor.lastName}`;
const elsewhere = 'Tandkliniken Ljungheden';

test('a role that somebody holds is deleted, and a person chooses among two accounts', async ({ page, standIns }) => {
  test.slow();
  const look = accessible(page);
  const admin = administration(page);
  const entry = signInPage(page);
  await signInAs(page, 'superAdministrator');
  await admin.openRoles();
  await admin.copyRole('Medical personnel', 'Vikarie', '4');
  await admin.openClinics();
  await admin.openPeople(elsewhere);
  await admin.addUser({
    ...{ 'First name': doctor.firstName, 'Last name': doctor.lastName, 'E-mail': 'aino.makela@ljungheden.example' },
    ...{ Phone: '070-174 06 05', 'Personal number': doctor.personalNumber.replaceAll('-', '') },
    ...{ 'Hired since': '2026-02-02', Role: 'Vikarie', Password: 'Forst-2026!' },
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
  const replacement = deletion.getByRole('combobox', { name: /^The role that they get instead/ });
  await expect(replacement).toBeVisible();
  await deletion.getByRole('button', { name: 'Delete the role' }).click();
  await expect(deletion.getByText('Fill in this field')).toBeVisible();
  await look.isGoodOver('delete a role');
  await look.fits('delete a role');
  await replacement.click();
  await expect(page.getByRole('option', { name: 'Medical personnel' })).toBeVisible();
  await look.isGoodOver('roles to get instead');
  await page.getByRole('option', { name: 'Medical personnel' }).click();
  await deletion.getByRole('button', { name: 'Delete the role' }).click();
  await expect(deletion).toBeHidden();
  await admin.signOut();

  await entry.choose('bankid');
  const shown = await codeOnScreen(page, 'QR code for the BankID app');
  const order = await standIns?.bankId.scan(shown, doctor.personalNumber);
  await standIns?.bankId.answer(order ?? '', 'yes');
  await expect(page.getByRole('heading', { level: 1, name: 'Choose an account' })).toBeVisible();
  await look.isGood('choice of an account', { title: 'Choose an account' });
  await look.fits('choice of an account');
  await entry.chooseAccount(elsewhere);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await admin.signOut();

  await signInAs(page, 'superAdministrator');
  await admin.openPeople(elsewhere);
  await admin.menu(name, 'Delete …');
  await admin
    .drawer(/^Delete/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(admin.row(/Mäkelä/)).toBeHidden();
});
