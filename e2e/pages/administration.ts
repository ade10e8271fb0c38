import { expect, type Page } from '@playwright/test';
import { header } from './header.ts';

type Fields = Readonly<Record<string, string>>;

/** The pages of administrators: clinics, people, roles. In English. */
export const administration = (page: Page) => {
  const drawer = (name: string | RegExp) => page.getByRole('dialog', { name });
  /** Fills the fields of a form by their labels, choices by their words. */
  const fill = async (form: string | RegExp, fields: Fields) => {
    for (const [label, value] of Object.entries(fields)) {
      const field = drawer(form).getByLabel(label, { exact: true });
      if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption({ label: value });
      else await field.fill(value);
    }
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  return {
    drawer,
    fill,
    row: (name: string | RegExp) => page.getByRole('row', { name }),
    says: (text: string | RegExp) => expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible(),

    addClinic: async (fields: Fields) => {
      await press('Add clinic');
      await fill('Add clinic', fields);
      await drawer('Add clinic').getByRole('button', { name: 'Save' }).click();
      await expect(drawer('Add clinic')).toBeHidden();
    },
    find: (label: string, text: string) => page.getByLabel(label).fill(text),
    /** The page of a clinic's people, from the list of clinics. */
    openPeople: async (clinic: string) => {
      await menu(clinic, 'Users of the clinic');
      await expect(page.getByRole('heading', { level: 1, name: `Users of ${clinic}` })).toBeVisible();
    },
    addUser: async (fields: Fields) => {
      await press('Add user');
      await fill('Add user', fields);
      await drawer('Add user').getByRole('button', { name: 'Save' }).click();
      await expect(drawer('Add user')).toBeHidden();
    },
    menu,

    openRoles: async () => {
      await page.getByRole('link', { name: 'Roles' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible();
    },
    /** A role with the rights of another one. */
    copyRole: async (from: string, name: string, rank: string) => {
      await press('New role');
      await fill('New role', { Name: name, Rank: rank });
      await drawer('New role').getByRole('combobox', { name: 'Begin with the rights of' }).click();
      await page.getByRole('option', { name: from }).click();
      await drawer('New role').getByRole('button', { name: 'Add role' }).click();
      await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    },
    right: (name: string) => page.getByRole('checkbox', { name, exact: true }),
    saveRights: async () => {
      await press('Save');
      await expect(page.getByText(/not saved$/)).toBeHidden();
    },
    openClinics: async () => {
      await page.getByRole('link', { name: 'Clinics' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Clinics' })).toBeVisible();
    },
    signOut: header(page).signOut,
  };
};
