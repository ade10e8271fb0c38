import { expect, type Page } from '@playwright/test';
import { header } from './header.ts';

type Fields = Readonly<Record<string, string>>;

/** The pages of administrators: clinics, people, roles. In English. */
export const administration = (page: Page) => {
  const drawer = (name: string | RegExp) => page.getByRole('dialog', { name });
  /** What is required carries a star. */
  const field = (form: string | RegExp, label: string) => drawer(form).getByLabel(new RegExp(`^${label}( \\*)?$`));
  const submit = async (form: string) => {
    await drawer(form).locator('button[type=submit]').click();
    await expect(drawer(form)).toBeHidden();
  };
  /** Fills the fields of a form by their labels, choices by their words. */
  const fill = async (form: string | RegExp, fields: Fields) => {
    for (const [label, value] of Object.entries(fields)) {
      const place = field(form, label);
      if ((await place.evaluate((element) => element.tagName)) === 'SELECT') await place.selectOption({ label: value });
      else await place.fill(value);
    }
  };
  /** Where a list is empty its message offers the same. */
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  return {
    drawer,
    field,
    fill,
    submit,
    row: (name: string | RegExp) => page.getByRole('row', { name }),
    says: (text: string | RegExp) => expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible(),

    addClinic: async (fields: Fields) => {
      await press('Add clinic');
      await fill('Add clinic', fields);
      await submit('Add clinic');
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
      await submit('Add user');
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
      await submit('New role');
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
