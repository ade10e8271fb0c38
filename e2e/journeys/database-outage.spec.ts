import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { readPostmaster } from '../../server/db/postmaster.ts';
import { isAlive } from '../../server/process-identity.ts';
import { newDataFolder, removeDataFolder, startArchive } from '../archive.ts';
import { setUpClinic } from '../new-clinic.ts';

const away = 'The archive’s database is not available. The page continues by itself when it is back';
const failed = 'The archive’s database is not available. What you have typed is kept. Try again later';

/** Kills the database repeatedly, as the server restarts it each time. Returns a function that stops this. */
const keepDatabaseDown = (dataFolder: string) => {
  const kill = () => {
    const postmaster = readPostmaster(path.join(dataFolder, 'database'));
    if (!postmaster || !isAlive(postmaster.pid)) return;
    try {
      process.kill(postmaster.pid, 'SIGKILL');
    } catch {
      // It has ended since.
    }
  };
  kill();
  const timer = setInterval(kill, 50);
  return () => clearInterval(timer);
};

/** Uses a separate archive, so that other tests keep their database. */
const withClinic = async (page: Page) => {
  const folder = await newDataFolder();
  const archive = await startArchive(folder, { args: ['--empty'] });
  await setUpClinic(page, archive);
  return archive;
};

test('a database outage is shown, typed text is preserved, and the page recovers without a new sign-in', async ({
  page,
}) => {
  const archive = await withClinic(page);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.getByRole('button', { name: 'New patient' }).first().click();
  const form = page.getByRole('dialog', { name: 'New patient' });
  await form.getByLabel('First name').fill('Vera');
  await form.getByLabel('Last name').fill('Avbrott');
  await form.getByLabel('Personal number').fill('199001019802');
  const comeBack = keepDatabaseDown(archive.dataFolder);
  try {
    await form.getByRole('button', { name: 'Add patient' }).click();
    await expect(form.getByText(failed)).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: away })).toBeVisible();
    expect((await fetch(`${archive.url}/health/live`)).status).toBe(200);
    if (process.env.DENTARIUM_SCREENSHOTS) await page.screenshot({ path: process.env.DENTARIUM_SCREENSHOTS });
  } finally {
    comeBack();
  }
  await expect(page.getByText('The archive’s database is available again.')).toBeVisible();
  await expect(page.getByText(away)).toBeHidden();
  await expect(form.getByLabel('Last name')).toHaveValue('Avbrott');
  await form.getByRole('button', { name: 'Add patient' }).click();
  await expect(page).toHaveURL(/\/patient\//);
  expect(loads).toBe(0);
  await archive.stop();
  await removeDataFolder(archive.dataFolder);
});
