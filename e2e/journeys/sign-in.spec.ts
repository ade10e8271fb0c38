import { header } from '../pages/header.ts';
import { demoPassword, demoUsers, signInByHand, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('a wrong password is rejected with a message', async ({ page }) => {
  const signIn = signInPage(page);
  await signIn.open();
  await signIn.enter(demoUsers.doctor, 'Wrong-2026!');
  await signIn.isRejected();
  await signIn.enter('nobody@dentarium.example', demoPassword);
  await signIn.isRejected();
});

test('a doctor signs in, stays signed in after a reload, and signs out', { tag: '@quick' }, async ({ page }) => {
  await signInByHand(page, 'doctor');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await header(page).signOut();
  await page.goto('/');
  await expect(page.getByLabel('E-mail')).toBeVisible();
});

test('after sign-in a visitor continues to the requested page', async ({ page, context }) => {
  await signInByHand(page, 'doctor');
  await header(page).type('and');
  await header(page).pickFirst();
  const requestedUrl = page.url();
  await header(page).signOut();
  const visitor = await context.newPage();
  await signInByHand(visitor, 'doctor', new URL(requestedUrl).pathname);
  await expect(visitor).toHaveURL(requestedUrl);
});

test('a clinic administrator starts at the users of the clinic, and a reload keeps the page', async ({ page }) => {
  await signInByHand(page, 'clinicAdministrator');
  await expect(page).toHaveURL(/\/customers\/[\da-f-]{36}\/employeers$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users of Tandkliniken Ljungheden');
  await page.getByRole('link', { name: 'Patient', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test('a super administrator first chooses a clinic', async ({ page }) => {
  await signInByHand(page, 'superAdministrator');
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole('heading', { name: 'Clinics' })).toBeVisible();
});
