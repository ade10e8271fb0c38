import type { Page } from '@playwright/test';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { header } from '../pages/header.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const lockPage = (page: Page) => page.getByRole('dialog', { name: 'Locked' });

test('a locked page keeps what was typed, in every tab and after a reload, until the password is entered', async ({
  page,
  context,
}) => {
  await signInAs(page, 'doctorElsewhere');
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await header(page).type('ørs');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(lockPage(page)).toBeVisible();
  await expect(lockPage(other)).toBeVisible();
  await expect(page.getByText('Ærøskov')).toBeHidden();
  // Keys reach nothing behind it, and Escape does not close it.
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(lockPage(page)).toBeVisible();

  await other.reload();
  await expect(lockPage(other)).toBeVisible();
  await expect(other.getByText('Ærøskov')).toBeHidden();

  await page.getByLabel('Password', { exact: true }).fill('Fel-losen-1!');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The current password is wrong')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(lockPage(page)).toBeHidden();
  await expect(lockPage(other)).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Search patients' })).toHaveValue('ørs');
  await expect(other.getByText('Ærøskov').first()).toBeVisible();
});

test('a PIN of the account unlocks the page, until it was wrong five times', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  const account = page.getByRole('dialog', { name: 'Account', exact: true });
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const pinField = lockPage(page).getByLabel('PIN', { exact: true });
  const passwordField = lockPage(page).getByLabel('Password', { exact: true });
  const openAccount = () => page.getByRole('button', { name: 'Account and settings' }).click();
  const lock = async () => {
    await openAccount();
    await account.getByRole('button', { name: 'Lock', exact: true }).click();
    await expect(lockPage(page)).toBeVisible();
  };
  const setPin = async (pin: string, opener: RegExp) => {
    await openAccount();
    await account.getByRole('button', { name: opener }).click();
    await page.getByLabel('New PIN').fill(pin);
    await page.getByLabel('Repeat the PIN').fill(pin);
    await page.keyboard.press('Enter');
  };
  await signInAs(page, 'doctorElsewhere');
  await setPin('1234', /^Set a PIN/);
  await proof.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set a PIN' });
  await expect(dialog.getByText('This PIN is easily guessed. Choose another one.')).toBeVisible();
  await check.isGoodOver('PIN of the account');
  await check.fits('PIN of the account');
  await page.getByLabel('New PIN').fill('730182');
  await page.getByLabel('Repeat the PIN').fill('730182');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await account.getByRole('button', { name: 'Close', exact: true }).click();

  await lock();
  await expect(pinField).toBeFocused();
  await expect(pinField).toHaveAttribute('inputmode', 'numeric');
  await check.isGoodOver('lock with a PIN');
  await check.fits('lock with a PIN');
  await page.keyboard.type('730183');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The PIN is wrong')).toBeVisible();
  await expect(pinField).toBeFocused();
  await page.keyboard.type('730182');
  await page.keyboard.press('Enter');
  await expect(lockPage(page)).toBeHidden();

  await lock();
  // Wrong passwords and PINs of an account must also wait, from the fifth on.
  await expect(async () => {
    // A form that still waits for its reply sends nothing.
    await pinField.fill('403812', { timeout: 2_000 });
    await page.keyboard.press('Enter');
    await expect(pinField).toBeHidden({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('The PIN cannot be used now. Unlock with the password.')).toBeVisible();
  await expect(passwordField).toBeFocused();
  await check.isGoodOver('lock after five wrong PINs');
  await page.reload();
  await expect(passwordField).toBeVisible();
  await expect(pinField).toBeHidden();
  await expect(async () => {
    await passwordField.fill(demoPassword);
    await page.keyboard.press('Enter');
    await expect(lockPage(page)).toBeHidden({ timeout: 2_000 });
  }).toPass();

  await lock();
  await expect(pinField).toBeVisible();
  await page.getByRole('button', { name: 'Use the password instead' }).click();
  await expect(passwordField).toBeFocused();
  await page.getByRole('button', { name: 'Use the PIN instead' }).click();
  await pinField.fill('730182');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(lockPage(page)).toBeHidden();
  await openAccount();
  await account.getByRole('button', { name: /^Change the PIN/ }).click();
  await page.getByRole('button', { name: 'Remove the PIN' }).click();
  await check.isGoodOver('removal of the PIN');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('The PIN is removed')).toBeVisible();
  await expect(account.getByRole('button', { name: /^Set a PIN/ })).toBeVisible();
});

test('the session of another device is seen and ended, and that device says why', async ({
  page,
  browser,
  baseURL,
}) => {
  const elsewhere = await browser.newPage({ baseURL: baseURL ?? '' });
  await signInAs(elsewhere, 'doctorElsewhere');
  await signInAs(page, 'doctorElsewhere');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Show devices' }).click();
  const sessions = page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(sessions).toHaveCount(1);
  await header(elsewhere).type('and');
  await expect(elsewhere.getByText('You ended this session on another device.')).toBeVisible();
  await elsewhere.close();
});

test('sign-in rules of a clinic lead its users to two-factor authentication, and lock a page without input', async ({
  page,
  browser,
  baseURL,
}) => {
  // Belongs to no clinic, so that the rules do not concern them.
  await signInAs(page, 'superAdministrator');
  await page.goto('/customers');
  await page.getByRole('button', { name: 'More actions for Öresunds Tandvård' }).click();
  await page.getByRole('menuitem', { name: 'Users of the clinic' }).click();
  const setRules = async (rules: Readonly<Record<string, string>>) => {
    await administration(page).menu('Öresunds Tandvård', 'Sign-in rules …');
    const drawer = page.getByRole('dialog', { name: 'Sign-in rules' });
    for (const [name, value] of Object.entries(rules)) await drawer.getByLabel(name).fill(value);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer).toBeHidden();
  };
  const [twoFactor, idle] = ['Two-factor authentication required from', 'Lock after minutes without input'];
  await setRules({ [twoFactor]: '2026-01-01' });
  const doctor = await browser.newPage({ baseURL: baseURL ?? '' });
  await doctor.clock.install();
  const signIn = signInPage(doctor);
  await signIn.open();
  await signIn.enter(demoUsers.doctorElsewhere, demoPassword);
  await expect(doctor.getByRole('heading', { name: 'Set up two-factor authentication' })).toBeVisible();
  await expect(doctor.getByRole('banner')).toBeHidden();
  await doctor.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await expect(doctor.getByRole('dialog', { name: 'Two-factor authentication' })).toBeVisible();

  await setRules({ [twoFactor]: '', [idle]: '1' });
  await doctor.reload();
  await expect(doctor.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await doctor.clock.fastForward(30_000);
  await expect(lockPage(doctor)).toBeHidden();
  await doctor.clock.fastForward(40_000);
  await expect(lockPage(doctor)).toBeVisible();
  await doctor.close();
  await setRules({ [idle]: '' });
});
