import type { Page } from '@playwright/test';
import { USERS } from '../../demo/users.ts';
import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { codeOnScreen } from '../pages/screen-code.ts';
import { demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import type { StandIns } from '../stand-ins.ts';
import { expect, test } from '../test.ts';

test.use({ withStandIns: true, contextOptions: { reducedMotion: 'reduce' } });

const doctor = USERS.find(({ email }) => email === demoUsers.doctor);
if (!doctor) throw new Error('The demo clinic has no such doctor');

const running = (standIns: StandIns | null): StandIns => {
  if (!standIns) throw new Error('The test servers are not running');
  return standIns;
};
const inside = (page: Page) => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

/** A deep link that requires a sign-in. */
const deepLink = async (page: Page): Promise<string> => {
  await signInAs(page, 'doctor');
  await header(page).type('and');
  await header(page).pickFirst();
  const path = new URL(page.url()).pathname;
  await header(page).signOut();
  return path;
};

/** The test provider's page: choose an account and accept. */
const atProvider = async (page: Page, name: string | RegExp, go: 'Sign in' | 'Cancel') => {
  await expect(page.getByText('Test server. Whoever signs in here proves nothing.')).toBeVisible();
  await page.getByRole('radio', { name }).check();
  await page.getByRole('button', { name: go, exact: true }).click();
};

test('BankID: the QR code is read from the screen, and sign-in continues to the requested page', async ({
  page,
  standIns,
}) => {
  const { bankId } = running(standIns);
  const path = await deepLink(page);
  const signIn = signInPage(page);
  await signIn.open(path);
  await expect(signIn.row('bankid')).toContainText('Test server: no real sign-in');
  await signIn.choose('bankid');
  await signIn.bankId.isWaiting();
  const order = await bankId.scan(await codeOnScreen(page, 'QR code for the BankID app'), doctor.personalNumber);
  await signIn.showsMessage('Enter your security code in the BankID app');
  await bankId.answer(order, 'yes');
  await inside(page);
  await expect(page).toHaveURL(path);

  await page.reload();
  await inside(page);
  await header(page).signOut();
});

test('BankID: a locked page is unlocked by its user, and by no other person', async ({ page, standIns }) => {
  test.slow();
  const { bankId } = running(standIns);
  const other = USERS.find(({ email }) => email === 'goran.akerblom@dentarium.example');
  const lockPage = page.getByRole('dialog', { name: 'Locked' });
  const check = accessible(page);
  await signInAs(page, 'doctor');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  const identify = async (personalNumber: string) => {
    await lockPage.getByRole('button', { name: 'Use BankID' }).click();
    return bankId.scan(await codeOnScreen(page, 'QR code for the BankID app'), personalNumber);
  };
  await lockPage.getByRole('button', { name: 'Use BankID' }).click();
  await expect(lockPage.getByRole('img', { name: 'QR code for the BankID app' })).toBeVisible();
  await check.isGoodOver('lock with BankID');
  await check.fits('lock with BankID');
  await lockPage.getByRole('button', { name: 'Cancel' }).click();
  await bankId.answer(await identify(other?.personalNumber ?? ''), 'yes');
  await expect(lockPage.getByText('The BankID belongs to another person')).toBeVisible();
  await check.isGoodOver('lock after the BankID of another person');
  await bankId.answer(await identify(doctor.personalNumber), 'yes');
  await expect(lockPage).toBeHidden();
  await inside(page);
  await header(page).signOut();
});

test('BankID: a rejected order is reported and can be retried', async ({ page, standIns }) => {
  const { bankId } = running(standIns);
  const signIn = signInPage(page);
  await signIn.open();
  await signIn.choose('bankid');
  const read = () => codeOnScreen(page, 'QR code for the BankID app');
  await bankId.answer(await bankId.scan(await read(), doctor.personalNumber), 'no');
  await signIn.showsMessage('Action cancelled');
  await signIn.bankId.retry();
  await bankId.answer(await bankId.scan(await read(), doctor.personalNumber), 'yes');
  await inside(page);
  await header(page).signOut();
});

test('SITHS and the clinic’s own provider accept known users only', async ({ page }) => {
  const signIn = signInPage(page);
  await signIn.open();
  await signIn.choose('siths');
  await atProvider(page, /Maja Lindqvist/, 'Sign in');
  await inside(page);
  await header(page).signOut();

  await signIn.choose('siths');
  await atProvider(page, /Okänd Besökare/, 'Sign in');
  await signIn.showsMessage('No account matches this identity');
  await signIn.choose('siths');
  await atProvider(page, /Maja Lindqvist/, 'Cancel');
  await expect(signIn.row('siths')).toBeVisible();

  await page.getByRole('button', { name: /^Klinikens inloggning/ }).click();
  await atProvider(page, /Elias Östergren/, 'Sign in');
  await inside(page);
  await header(page).signOut();
});

test('Azure AD is offered after an administrator configured it', async ({ page, standIns }) => {
  const { azure } = running(standIns);
  const signIn = signInPage(page);
  await signIn.open();
  await expect(signIn.row('siths')).toBeVisible();
  await expect(signIn.row('aad')).toHaveCount(0);
  await signIn.enter(demoUsers.superAdministrator, 'Demo-2026!');
  await inside(page);
  await header(page).chooseSetting('Azure AD …');
  const dialog = page.getByRole('dialog', { name: /Azure AD/ });
  await dialog.getByRole('textbox', { name: 'Application (client) ID' }).fill(azure.clientId);
  await dialog.getByRole('textbox', { name: 'Directory (tenant) ID' }).fill(azure.tenantId);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await header(page).signOut();

  await signIn.choose('aad');
  await atProvider(page, /Maja Lindqvist/, 'Sign in');
  await inside(page);
  await header(page).signOut();
});

test('sign-in by text message', async ({ page, standIns }) => {
  const { sms } = running(standIns);
  const signIn = signInPage(page);
  await signIn.open();
  await signIn.choose('sms');
  const before = (await sms.messages()).length;
  await signIn.sms.requestEmail(demoUsers.doctor);
  await expect.poll(async () => (await sms.messages()).length).toBeGreaterThan(before);
  const [newest] = await sms.messages();
  await signIn.sms.enterCode(/\b(\d{6})\b/.exec(newest?.message ?? '')?.[1] ?? '');
  await inside(page);
  await header(page).signOut();
});
