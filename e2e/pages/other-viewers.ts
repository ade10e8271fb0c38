import { expect, type Page } from '@playwright/test';
import { accessible } from './accessible.ts';
import { administration } from './administration.ts';
import { header } from './header.ts';
import { signInAs } from './sign-in.ts';
import { visitPatient } from './visit.ts';

/** Opens the form of a clinic as system administrator. */
const openClinicForm = async (page: Page, clinic: string) => {
  await signInAs(page, 'superAdministrator', '/customers');
  const admin = administration(page);
  await admin.menu(clinic, 'Edit clinic');
  return admin;
};

/** Adds a viewer to a clinic, and signs out. */
export const addViewer = async (page: Page, clinic: string, name: string, address: string) => {
  const { drawer, submit } = await openClinicForm(page, clinic);
  await drawer('Edit clinic').getByRole('button', { name: 'Add viewer' }).click();
  const viewers = drawer('Edit clinic').getByRole('group', { name: 'Other viewers' });
  await viewers.getByLabel('Name').last().fill(name);
  await viewers.getByLabel('Address').last().fill(address);
  await accessible(page).isGoodOver('the form of a clinic with another viewer');
  await submit('Edit clinic');
  await header(page).signOut();
};

export const removeViewer = async (page: Page, clinic: string, name: string) => {
  const { drawer, submit } = await openClinicForm(page, clinic);
  await drawer('Edit clinic')
    .getByRole('button', { name: `Remove viewer ${name}` })
    .click();
  await submit('Edit clinic');
};

/** Opens a study in another viewer as the doctor, and returns the page of the viewer. */
export const openIn = async (page: Page, viewer: string): Promise<Page> => {
  await visitPatient(page, 'doctor', 'fägersk', 'Fägerskiöld');
  await page.getByRole('button', { name: /^More actions for \d{4}-\d\d-\d\d CT underkäke/ }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: `Open in ${viewer}` }).click();
  const other = await opened;
  await expect.poll(() => other.evaluate(() => window.opener === null)).toBe(true);
  return other;
};
