import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { helpPage } from '../pages/help.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the help is searched for an error message, printed, and shown in the language of the page', async ({ page }) => {
  await signInAs(page, 'doctor');
  const help = helpPage(page);
  await help.open();
  await expect(page).toHaveURL(/\/help$/);
  await expect(help.chapters()).toHaveCount(8);

  await help.search('changed this at the same time');
  await expect(help.chapters()).toHaveText(['What the messages mean']);
  await expect(help.meaning('Another user changed this at the same time')).toContainText('Make your change again');

  await help.search('zebra');
  await help.showsMessage('Nothing found for “zebra”');
  await page.getByRole('button', { name: 'Show everything' }).click();

  await help.goTo('Keyboard shortcuts');
  await expect(page).toHaveURL(/\/help#help-keyboard$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Keyboard shortcuts' })).toBeInViewport();

  // The documented key works.
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search patients' })).toBeFocused();

  // Print shows all of the help and nothing else.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('searchbox', { name: 'Search the help' })).toBeHidden();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeGreaterThan(5_000);
  await page.emulateMedia({ media: 'screen' });

  await header(page).chooseLanguage('Norsk');
  await expect(page.getByRole('heading', { level: 1, name: 'Hjelp' })).toBeVisible();
  await expect(help.chapters().last()).toHaveText('For testere');
});

test('help is readable before sign-in, and sign-in then continues to the requested page', async ({ page }) => {
  const check = accessible(page);
  const help = helpPage(page);
  const signIn = signInPage(page);
  await page.goto('/help');
  await page.getByRole('button', { name: 'Norsk' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hjelp' })).toBeVisible();
  await page.getByRole('button', { name: 'English' }).click();
  await help.search('forgotten');
  await help.showsMessage(/password/);
  await check.isGood('help before the sign-in', { title: 'Help' });
  await check.fits('help before the sign-in');

  await signIn.open('/import');
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await signIn.enter(demoUsers.doctor, 'Wrong-2026!');
  await signIn.isRejected();
  await signIn.enter(demoUsers.doctor, demoPassword);
  await expect(page).toHaveURL(/\/import$/);

  await help.open();
  await header(page).signOut();
  await expect(page).toHaveURL(/\/authorization$/);
});

test('a URL with a chapter opens there, and /dev does not exist', async ({ page }) => {
  await signInAs(page, 'doctor');
  await page.goto('/help#help-messages');
  await expect(page.getByRole('heading', { level: 2, name: 'What the messages mean' })).toBeInViewport();
  await page.goto('/dev');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByText('Page not found').first()).toBeVisible();
});
