import { header } from '../pages/header.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('a wrong password is told in words and keeps the person out', async ({ page }) => {
  const entry = signInPage(page);
  await entry.open();
  await entry.enter(people.doctor, 'Wrong-2026!');
  await entry.isRefused();
  await entry.enter('nobody@dentarium.example', demoPassword);
  await entry.isRefused();
});

test('a doctor signs in, stays signed in after a reload, and signs out', async ({ page }) => {
  await signInAs(page, 'doctor');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await header(page).signOut();
  await page.goto('/');
  await expect(page.getByLabel('E-mail')).toBeVisible();
});

test('a visitor comes back to where they wanted to be', async ({ page, context }) => {
  await signInAs(page, 'doctor');
  await header(page).type('and');
  await header(page).pickFirst();
  const wanted = page.url();
  await header(page).signOut();
  const visitor = await context.newPage();
  await signInAs(visitor, 'doctor', new URL(wanted).pathname);
  await expect(visitor).toHaveURL(wanted);
});

test('an administrator of a clinic begins at its people, and a reload stays where it is', async ({ page }) => {
  await signInAs(page, 'clinicAdministrator');
  await expect(page).toHaveURL(/\/customers\/[\da-f-]{36}\/employeers$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users of Tandkliniken Ljungheden');
  await page.getByRole('link', { name: 'Patient', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test('a super administrator chooses a clinic first', async ({ page }) => {
  await signInAs(page, 'superAdministrator');
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole('heading', { name: 'Clinics' })).toBeVisible();
});
