import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { passkeysOf, virtualAuthenticator } from '../pages/passkeys.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('passkeys: add one by keyboard, sign in with it alone and after the password, remove it', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  const authenticator = await virtualAuthenticator(page);
  const passkeys = passkeysOf(page);
  const signIn = signInPage(page);
  const inside = () => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await signInAs(page, 'doctorOfChanges');

  await passkeys.open();
  await check.isGoodOver('passkeys');
  await check.fits('passkeys');
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await check.isGoodOver('name of a passkey');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Office');
  await page.keyboard.press('Enter');
  await expect(passkeys.proof).toBeVisible();
  await check.isGoodOver('proof before a change');
  await check.fits('proof before a change');
  await passkeys.proof.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCode = await codes.first().innerText();
  await page.getByRole('checkbox', { name: 'I have saved the codes' }).check();
  await passkeys.press('Done');
  await expect(passkeys.list).toHaveText([/^Office.*Not used yet/]);
  expect(await authenticator.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  await passkeys.close();
  await header(page).signOut();

  // Without the password: from the list of ways, by keyboard.
  const row = page.getByRole('button', { name: /^Passkey/ });
  await expect(row).toBeVisible();
  await check.isGood('ways to sign in with a passkey', { title: 'Sign in' });
  await row.focus();
  await page.keyboard.press('Enter');
  await inside();
  await passkeys.open();
  await expect(passkeys.list).toHaveText([/^Office.*Last used/]);
  await passkeys.close();
  await header(page).signOut();

  // A device that does not verify its user is refused in words.
  await authenticator.setUserVerified(false);
  await row.click();
  await expect(page.getByText('The sign-in was cancelled')).toBeVisible();
  await check.isGood('sign-in by passkey', { title: 'Sign in with a passkey' });
  await check.fits('sign-in by passkey');
  await authenticator.setUserVerified(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await inside();
  await header(page).signOut();

  // After the password, where the account has no authenticator app.
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await check.isGood('passkey as second factor', { title: 'Two-factor authentication' });
  await page.keyboard.press('Enter');
  await inside();
  await header(page).signOut();
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.keyboard.press('Enter');
  await inside();

  await passkeys.open();
  await passkeys.press('Rename: Office');
  await page.getByLabel('Name', { exact: true }).fill('Home');
  await page.keyboard.press('Enter');
  await expect(passkeys.proof).toBeVisible();
  await passkeys.press('Use a passkey');
  await expect(passkeys.list).toHaveText([/^Home/]);
  await passkeys.close();

  const lockPage = page.getByRole('dialog', { name: 'Locked' });
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(lockPage).toBeVisible();
  await check.isGoodOver('lock with a passkey');
  await check.fits('lock with a passkey');
  await lockPage.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(lockPage).toBeHidden();

  await passkeys.open();
  await passkeys.press('Remove: Home');
  await check.isGoodOver('removal of a passkey');
  await check.fits('removal of a passkey');
  await passkeys.press('Remove');
  await expect(passkeys.dialog.getByText('You have no passkeys.')).toBeVisible();
  await passkeys.close();
  await header(page).signOut();
  await expect(page.getByRole('button', { name: /^Passkey/ })).toBeHidden();
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await inside();
});
