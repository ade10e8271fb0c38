import { expect, type Page } from '@playwright/test';

/** Header page object: search box, clinic, sign-out. */
export const header = (page: Page) => {
  const box = page.getByRole('combobox', { name: 'Search patients' });
  return {
    type: (text: string) => box.fill(text),
    press: (key: string) => box.press(key),
    hits: () => page.getByRole('listbox', { name: 'Patients found' }).getByRole('option'),
    pickFirst: async () => {
      await page.getByRole('listbox', { name: 'Patients found' }).getByRole('option').first().click();
      await expect(page).toHaveURL(/\/patient\//);
      const card = page.getByRole('complementary', { name: 'Patient and studies' });
      await expect(card.getByRole('heading', { level: 1 })).toBeVisible();
    },
    /** Selects an item of the settings menu. */
    chooseSetting: async (name: string) => {
      await page.getByRole('banner').getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    },
    /** Switches from English to another language by its own name. */
    chooseLanguage: async (name: string) => {
      await page.getByRole('banner').getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('menuitemradio', { name }).click();
      await page.keyboard.press('Escape');
    },
    signOut: async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Sign out …' }).click();
      await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible();
    },
  };
};
