import { expect, type Page } from '@playwright/test';
import { header } from './header.ts';
import { type demoUsers, signInAs } from './sign-in.ts';

/** Opens the first patient found by that search. */
export const findPatient = async (page: Page, search: string, name: string) => {
  await header(page).type(search);
  await expect(header(page).hits().first()).toContainText(name);
  await header(page).pickFirst();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
};

/** Signs in and opens the first patient found by that search. */
export const visitPatient = async (page: Page, who: keyof typeof demoUsers, search: string, name: string) => {
  await signInAs(page, who);
  await findPatient(page, search, name);
};
