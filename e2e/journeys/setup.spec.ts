import { test as base, expect } from '@playwright/test';
import { newDataFolder, removeDataFolder, startArchive } from '../archive.ts';
import { setUpClinic } from '../new-clinic.ts';
import { header } from '../pages/header.ts';

/** Uses an empty installation. */
base('an empty installation is set up through the link that it prints', { tag: '@quick' }, async ({ page }) => {
  const folder = await newDataFolder();
  const archive = await startArchive(folder, { args: ['--empty'] });
  try {
    await setUpClinic(page, archive);
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
