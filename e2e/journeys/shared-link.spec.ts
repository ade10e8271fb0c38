import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { unzipped } from '../../tests/server/unzipped.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { dialogs } from '../pages/dialogs.ts';
import { greyStatisticsOf, greyValuesOf } from '../pages/grey-values.ts';
import { signInAs } from '../pages/sign-in.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const still = { reducedMotion: 'reduce' } as const;
test.use({ contextOptions: still });

test('images are shared by a link with a code, opened without an account, and ended by the sender', async ({
  page,
  browser,
}) => {
  const admin = administration(page);
  await signInAs(page, 'superAdministrator');
  await admin.menu('Tandkliniken Ljungheden', 'Edit clinic');
  await admin
    .drawer('Edit clinic')
    .getByRole('checkbox', { name: /^Share images by link/ })
    .check();
  await admin.submit('Edit clinic');
  await admin.signOut();

  await visitPatient(page, 'doctor', 'wåhlin', 'Wåhlin');
  const { openMenu, choose, dialog } = dialogs(page);
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await openMenu(name);
  await choose('Images for a recipient …');
  const form = page.getByRole('dialog', { name: /for a recipient$/ });
  await form.getByRole('textbox', { name: /^Recipient/ }).fill('Folktandvården');
  await form.getByRole('textbox', { name: 'Purpose' }).fill('Referral');
  await form.getByRole('combobox', { name: 'Content' }).selectOption('Link to a page with the images');
  await form.getByRole('checkbox', { name: 'I have looked at the images' }).check();
  await accessible(page).isGoodOver('making a link');
  await form.getByRole('button', { name: 'Make link' }).press('Enter');
  await expect(form.getByRole('textbox', { name: 'Link' })).toBeFocused();
  const link = await form.getByRole('textbox', { name: 'Link' }).inputValue();
  const code = await form.getByRole('textbox', { name: 'Code' }).inputValue();
  await accessible(page).isGoodOver('a new link and its code');
  await form.getByRole('button', { name: 'Close' }).last().press('Enter');

  // The recipient has neither a session nor an account.
  const context = await browser.newContext({ ...still, locale: 'en-GB', viewport: { width: 1280, height: 720 } });
  const guest = await context.newPage();
  const broken: string[] = [];
  guest.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) broken.push(message.text());
  });
  const calls: string[] = [];
  guest.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await guest.goto(link);
  const field = guest.getByRole('textbox', { name: 'Code' });
  await expect(field).toBeFocused();
  await accessible(guest).isGood('the code of a link', { title: 'Shared images' });
  await guest.keyboard.type('2222-2222');
  await guest.keyboard.press('Enter');
  await expect(guest.getByText('The link or the code is wrong or no longer valid')).toBeVisible();
  await field.fill(code.toLowerCase());
  await guest.keyboard.press('Enter');
  await expect(guest.getByText('Folktandvården')).toBeVisible();
  await expect(guest.getByText('Tandkliniken Ljungheden')).toBeVisible();
  expect(await guest.locator('body').innerText()).not.toContain('Wåhlin');

  const canvas = guest.locator('canvas');
  const spread = async () => greyStatisticsOf(await greyValuesOf(guest, await canvas.screenshot()));
  await expect.poll(async () => (await spread()).spread).toBeGreaterThan(20);
  const before = await spread();
  await guest.getByRole('button', { name: 'Invert' }).click();
  await expect.poll(async () => Math.abs((await spread()).mean - before.mean)).toBeGreaterThan(10);
  await canvas.focus();
  await guest.keyboard.press('Backspace');
  await expect.poll(async () => Math.abs((await spread()).mean - before.mean)).toBeLessThan(3);
  await accessible(guest).isGood('the images of a link', { title: 'Shared images' });
  await accessible(guest).fits('the images of a link');

  const coming = guest.waitForEvent('download');
  await guest.getByRole('button', { name: 'Download' }).click();
  const zip = await buffer(createReadStream(await (await coming).path()));
  const files = new Map(await unzipped(zip));
  expect([...files.keys()]).toContain('DICOMDIR');
  expect(zip.includes('Wåhlin')).toBe(false);
  expect(zip.includes('Linnéa')).toBe(false);
  expect(calls.filter((path) => /^\/(api|connect|interaction)\//.test(path))).toEqual([]);
  expect(calls.filter((path) => path.startsWith('/resource/') && !path.startsWith('/resource/shared/'))).toEqual([]);
  // Nothing of the visit stays in the browser.
  expect(await guest.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
    'bearer',
  );

  await openMenu(name);
  await choose('Shared links');
  const list = dialog('Shared links');
  await expect(list.getByText(/^Opened once/)).toBeVisible();
  await accessible(page).isGoodOver('the list of links');
  await list.getByRole('button', { name: 'Stop sharing with Folktandvården' }).press('Enter');
  await list.getByRole('button', { name: 'Stop sharing', exact: true }).press('Enter');
  await expect(list.getByText(/^Ended /).first()).toBeVisible();

  await guest.getByRole('button', { name: 'Download' }).click();
  await expect(guest.getByText(/the link has ended. Enter the code to go on/)).toBeVisible();
  await field.fill(code);
  await guest.keyboard.press('Enter');
  await expect(guest.getByText('The link or the code is wrong or no longer valid')).toBeVisible();
  expect(broken).toEqual([]);
  await context.close();
});
