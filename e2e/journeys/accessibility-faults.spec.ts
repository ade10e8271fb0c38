import type { Page } from '@playwright/test';
import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** From now on whatever draws an element of that kind breaks, as by a fault of ours. */
const breakWhatDraws = (page: Page, tag: string) =>
  page.evaluate((broken) => {
    const { createElement } = Document.prototype;
    document.createElement = (name: string, options?: ElementCreationOptions) => {
      if (name === broken) throw new TypeError(`no ${name} can be drawn`);
      return createElement.call(document, name, options);
    };
  }, tag);

const report = (page: Page) => page.getByRole('group').filter({ hasText: 'What the error report contains' });

/** Looks at the words about a fault, then at its report. */
const looksGood = async (page: Page, name: string, isGood: (name: string) => Promise<void>) => {
  await expect(page.getByRole('heading', { name: 'This page stopped working' })).toBeVisible();
  await expect(report(page)).toBeVisible();
  await isGood(name);
  await accessible(page).fits(name);
  await report(page).getByText('What the error report contains').click();
  await expect(report(page)).toContainText('error: TypeError');
  await isGood(`${name}, its report`);
  await accessible(page).fits(`${name}, its report`);
};

test('a page that stopped working', async ({ page }) => {
  const look = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await breakWhatDraws(page, 'table');
  await header(page).chooseSetting('Access log');
  await looksGood(page, 'fault of a page', (name) => look.isGood(name, { title: 'This page stopped working' }));
});

test('something beside the page that stopped working', async ({ page }) => {
  const look = accessible(page);
  await signInAs(page, 'clinicAdministrator');
  await expect(page.getByRole('row', { name: /Östergren/ })).toBeVisible();
  await breakWhatDraws(page, 'section');
  await page.getByRole('banner').getByRole('button', { name: 'Account and settings' }).click();
  await looksGood(page, 'fault beside a page', look.isGoodOver);
});

test('a product that stopped working', async ({ page }) => {
  const look = accessible(page);
  const entry = signInPage(page);
  await entry.open('/authorization/password');
  await breakWhatDraws(page, 'form');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await looksGood(page, 'fault of all', (name) => look.isGood(name, { title: 'This page stopped working' }));
});
