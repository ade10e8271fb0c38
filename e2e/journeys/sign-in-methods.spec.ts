import type { Page } from '@playwright/test';
import { USERS } from '../../server/demo/people.ts';
import { header } from '../pages/header.ts';
import { codeOnScreen } from '../pages/screen-code.ts';
import { people, signInAs, signInPage } from '../pages/sign-in.ts';
import type { StandIns } from '../stand-ins.ts';
import { expect, test } from '../test.ts';

test.use({ withStandIns: true });

const doctor = USERS.find(({ email }) => email === people.doctor);
if (!doctor) throw new Error('the demo has no such doctor');

const running = (standIns: StandIns | null): StandIns => {
  if (!standIns) throw new Error('the test servers do not run');
  return standIns;
};
const inside = (page: Page) => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

/** A place deep in the archive that only somebody who is signed in may see. */
const somewhere = async (page: Page): Promise<string> => {
  await signInAs(page, 'doctor');
  await header(page).type('and');
  await header(page).pickFirst();
  const place = new URL(page.url()).pathname;
  await header(page).signOut();
  return place;
};

/** The test provider's page: who one is, and whether one goes on. */
const atProvider = async (page: Page, name: string | RegExp, go: 'Sign in' | 'Cancel') => {
  await expect(page.getByText('Test server. Whoever signs in here proves nothing.')).toBeVisible();
  await page.getByRole('radio', { name }).check();
  await page.getByRole('button', { name: go, exact: true }).click();
};

test('BankID: the code is read from the screen, the person comes to where they wanted to be', async ({
  page,
  standIns,
}) => {
  const { bankId } = running(standIns);
  const place = await somewhere(page);
  const entry = signInPage(page);
  await entry.open(place);
  await expect(entry.row('bankid')).toContainText('Test server: no real sign-in');
  await entry.choose('bankid');
  await entry.bankId.isWaiting();
  const order = await bankId.scan(await codeOnScreen(page, 'QR code for the BankID app'), doctor.personalNumber);
  await entry.says('Enter your security code in the BankID app');
  await bankId.answer(order, 'yes');
  await inside(page);
  await expect(page).toHaveURL(place);

  await page.reload();
  await inside(page);
  await header(page).signOut();
});

test('BankID: who says no in the app is told so, and can try again', async ({ page, standIns }) => {
  const { bankId } = running(standIns);
  const entry = signInPage(page);
  await entry.open();
  await entry.choose('bankid');
  const read = () => codeOnScreen(page, 'QR code for the BankID app');
  await bankId.answer(await bankId.scan(await read(), doctor.personalNumber), 'no');
  await entry.says('Action cancelled');
  await entry.bankId.retry();
  await bankId.answer(await bankId.scan(await read(), doctor.personalNumber), 'yes');
  await inside(page);
  await header(page).signOut();
});

test('SITHS and the clinic’s own provider let in whom they know, and nobody else', async ({ page }) => {
  const entry = signInPage(page);
  await entry.open();
  await entry.choose('siths');
  await atProvider(page, /Maja Lindqvist/, 'Sign in');
  await inside(page);
  await header(page).signOut();

  await entry.choose('siths');
  await atProvider(page, /Okänd Besökare/, 'Sign in');
  await entry.says('No account here belongs to that identity');
  await entry.choose('siths');
  await atProvider(page, /Maja Lindqvist/, 'Cancel');
  await expect(entry.row('siths')).toBeVisible();

  await page.getByRole('button', { name: /^Klinikens inloggning/ }).click();
  await atProvider(page, /Elias Östergren/, 'Sign in');
  await inside(page);
  await header(page).signOut();
});

test('Azure AD is offered once an administrator has set it up', async ({ page, standIns }) => {
  const { azure } = running(standIns);
  const entry = signInPage(page);
  await entry.open();
  await expect(entry.row('siths')).toBeVisible();
  await expect(entry.row('aad')).toHaveCount(0);
  await entry.enter(people.superAdministrator, 'Demo-2026!');
  await inside(page);
  await header(page).chooseSetting('Azure AD …');
  const dialog = page.getByRole('dialog', { name: /Azure AD/ });
  await dialog.getByRole('textbox', { name: 'Application (client) ID' }).fill(azure.clientId);
  await dialog.getByRole('textbox', { name: 'Directory (tenant) ID' }).fill(azure.tenantId);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await header(page).signOut();

  await entry.choose('aad');
  await atProvider(page, /Maja Lindqvist/, 'Sign in');
  await inside(page);
  await header(page).signOut();
});

test('a code by text message', async ({ page, standIns }) => {
  const { sms } = running(standIns);
  const entry = signInPage(page);
  await entry.open();
  await entry.choose('sms');
  const before = (await sms.messages()).length;
  await entry.sms.askFor(people.doctor);
  await expect.poll(async () => (await sms.messages()).length).toBeGreaterThan(before);
  const [newest] = await sms.messages();
  await entry.sms.enterCode(/\b(\d{6})\b/.exec(newest?.message ?? '')?.[1] ?? '');
  await inside(page);
  await header(page).signOut();
});
