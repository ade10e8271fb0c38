import { changePasswordElsewhere, passwordResetLink } from '../emails.ts';
import { header } from '../pages/header.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const newPassword = 'Ny-vinter-2026!';

test('password reset by e-mail: the link works once, and other sessions of the account end', async ({
  page,
  browser,
  archive,
  baseURL,
}) => {
  const elsewhere = await browser.newPage({ baseURL: baseURL ?? '' });
  await signInAs(elsewhere, 'doctorElsewhere');

  const signIn = signInPage(page);
  await signIn.open();
  const link = await passwordResetLink(archive.url, () => signIn.forgot(demoUsers.doctorElsewhere));
  await page.goto(link);
  await expect(page).toHaveURL(/\/authorization\/newpassword$/);
  await signIn.chooseNewPassword('kort');
  await signIn.showsMessage('The password does not meet');
  await signIn.chooseNewPassword(newPassword, `${newPassword}!`);
  await signIn.showsMessage('Entered passwords must match');
  await signIn.chooseNewPassword(newPassword);
  await signIn.newPasswordIsSaved();

  await page.goto(link);
  await signIn.chooseNewPassword('En-annan-2026!');
  await signIn.linkIsExpired();

  await signIn.open();
  await signIn.enter(demoUsers.doctorElsewhere, demoPassword);
  await signIn.isRejected();
  await signIn.enter(demoUsers.doctorElsewhere, newPassword);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

  await header(elsewhere).type('and');
  await expect(elsewhere.getByText('Your password was changed')).toBeVisible();
  await elsewhere.close();
  await changePasswordElsewhere(archive.url, demoUsers.doctorElsewhere, demoPassword);
});
