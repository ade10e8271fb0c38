import type { Page } from '@playwright/test';
import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Makes createElement throw for this element, as a bug would. */
const breakWhatDraws = (page: Page, tag: string) =>
  page.evaluate((broken) => {
    const { createElement } = Document.prototype;
    document.createElement = (name: string, options?: ElementCreationOptions) => {
      if (name === broken) throw new TypeError(`Cannot create ${name}`);
      return createElement.call(document, name, options);
    };
  }, tag);

const report = (page: Page) => page.getByRole('group').filter({ hasText: 'What the error report contains' });

/** Checks the error page and its report. */
const checkPage = async (page: Page, name: string, isGood: (name: string) => Promise<void>) => {
  await expect(page.getByRole('heading', { name: 'This page stopped working' })).toBeVisible();
  await expect(report(page)).toBeVisible();
  await isGood(name);
  await accessible(page).fits(name);
  await report(page).getByText('What the error report contains').click();
  await expect(report(page)).toContainText('error: TypeError');
  await isGood(`${name}, its report`);
  await accessible(page).fits(`${name}, its report`);
};

test('an error in the page', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await breakWhatDraws(page, 'table');
  await header(page).chooseSetting('Access log');
  await checkPage(page, 'error of a page', (name) => check.isGood(name, { title: 'This page stopped working' }));
});

test('an error outside the page content', async ({ page }) => {
  const check = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await expect(page.getByRole('row', { name: /Östergren/ })).toBeVisible();
  await breakWhatDraws(page, 'section');
  await page.getByRole('banner').getByRole('button', { name: 'Account and settings' }).click();
  await checkPage(page, 'error beside a page', check.isGoodOver);
});

test('an error in the whole app', async ({ page }) => {
  const check = accessible(page);
  const signIn = signInPage(page);
  await signIn.open('/authorization/password');
  await breakWhatDraws(page, 'form');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await checkPage(page, 'error of the app', (name) => check.isGood(name, { title: 'This page stopped working' }));
});
