import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { helpPage } from '../pages/help.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('somebody looks up a message, a key and how to import, in two languages, and prints', async ({ page }) => {
  await signInAs(page, 'doctor');
  const help = helpPage(page);
  await help.open();
  await expect(page).toHaveURL(/\/help$/);
  await expect(help.chapters()).toHaveCount(8);

  await help.search('somebody else changed it');
  await expect(help.chapters()).toHaveText(['What the messages mean']);
  await expect(help.meaning('Somebody else changed it at the same time')).toContainText('Make your change again');

  await help.search('zebra');
  await help.says('Nothing found for “zebra”');
  await page.getByRole('button', { name: 'Show everything' }).click();

  await help.goTo('Keyboard shortcuts');
  await expect(page).toHaveURL(/\/help#help-keyboard$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Keyboard shortcuts' })).toBeInViewport();

  // The key that the help names does what it says.
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search patients' })).toBeFocused();

  // On paper everything stands, and nothing of the program around it.
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

test('somebody who cannot sign in reads about it, and then goes on where they wanted to be', async ({ page }) => {
  const look = accessible(page);
  const help = helpPage(page);
  const entry = signInPage(page);
  await page.goto('/help');
  await page.getByRole('button', { name: 'Norsk' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hjelp' })).toBeVisible();
  await page.getByRole('button', { name: 'English' }).click();
  await help.search('forgotten');
  await help.says(/password/);
  await look.isGood('help before the sign-in', { title: 'Help' });
  await look.fits('help before the sign-in');

  await entry.open('/import');
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await entry.enter(people.doctor, 'Wrong-2026!');
  await entry.isRefused();
  await entry.enter(people.doctor, demoPassword);
  await expect(page).toHaveURL(/\/import$/);

  await help.open();
  await header(page).signOut();
  await expect(page).toHaveURL(/\/authorization$/);
});

test('an address with a chapter opens there, and /dev leads nowhere', async ({ page }) => {
  await signInAs(page, 'doctor');
  await page.goto('/help#help-messages');
  await expect(page.getByRole('heading', { level: 2, name: 'What the messages mean' })).toBeInViewport();
  await page.goto('/dev');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByText('There is no such page').first()).toBeVisible();
});
