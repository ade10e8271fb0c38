import { test as base, expect } from '@playwright/test';
import { newDataFolder, removeDataFolder, startArchive } from '../archive.ts';
import { header } from '../pages/header.ts';

/** An installation of its own: nobody in it. */
base('an empty installation is set up through the link that it prints', async ({ page }) => {
  const folder = await newDataFolder();
  const archive = await startArchive(folder, { args: ['--empty'] });
  try {
    // It answers before its words have come through the pipe.
    const link = () => /http:\/\/localhost:\d+\/\S+#\S+/.exec(archive.output())?.[0] ?? '';
    await expect.poll(link).not.toBe('');
    await page.goto(link());
    await page.getByText('English', { exact: true }).first().click();
    await page.getByLabel('Name of the clinic').fill('Tandvården Björken');
    await page.getByLabel('First name').fill('Maja');
    await page.getByLabel('Last name').fill('Ödmann');
    await page.getByLabel('E-mail').fill('maja@clinic.example');
    await page.getByLabel('Password', { exact: true }).fill('Björk-2026!');
    await page.getByLabel('Repeat the password').fill('Björk-2026!');
    await page.getByRole('button', { name: 'Create and sign in' }).click();
    await page
      .getByRole('link', { name: /Tandvården Björken/ })
      .or(page.getByRole('button', { name: /Tandvården Björken/ }))
      .first()
      .click();
    await page.getByRole('button', { name: 'New patient' }).first().click();
    const form = page.getByRole('dialog', { name: 'New patient' });
    await form.getByLabel('First name').fill('Åsa');
    await form.getByLabel('Last name').fill('Lind');
    await form.getByLabel('Personal number').fill('198502149801');
    await form.getByRole('button', { name: 'Add patient' }).click();
    await expect(page).toHaveURL(/\/patient\//);
    await header(page).type('asa');
    await expect(header(page).hits().first()).toContainText('Lind');

    await page.context().clearCookies();
    await archive.kill();
    const again = await startArchive(folder, { args: ['--empty'] });
    expect(again.output()).not.toContain('#');
    await again.stop();
  } finally {
    await archive.stop();
    await removeDataFolder(folder);
  }
});
