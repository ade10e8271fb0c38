import { header } from '../pages/header.ts';
import { helpPage } from '../pages/help.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

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

test('an address with a chapter opens there, and /dev leads nowhere', async ({ page }) => {
  await signInAs(page, 'doctor');
  await page.goto('/help#help-messages');
  await expect(page.getByRole('heading', { level: 2, name: 'What the messages mean' })).toBeInViewport();
  await page.goto('/dev');
  await expect(page).toHaveURL(/\/404$/);
  await expect(page.getByText('There is no such page').first()).toBeVisible();
});
