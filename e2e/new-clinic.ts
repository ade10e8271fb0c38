import { expect, type Page } from '@playwright/test';
import type { Archive } from './archive.ts';

/** Sets up an empty installation with the link it prints, and opens its first clinic as administrator. */
export const setUpClinic = async (page: Page, archive: Pick<Archive, 'output'>): Promise<void> => {
  // The server may answer before its output has arrived.
  const link = () => /https?:\/\/\S+#\S+/.exec(archive.output())?.[0] ?? '';
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
};
