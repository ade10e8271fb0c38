import { expect, type Page } from '@playwright/test';
import { header } from './header.ts';

type Fields = Readonly<Record<string, string>>;

/** Page objects for clinics, users and roles, in English. */
export const administration = (page: Page) => {
  const drawer = (name: string | RegExp) => page.getByRole('dialog', { name });
  /** Labels of required fields end with an asterisk. */
  const field = (form: string | RegExp, label: string) => drawer(form).getByLabel(new RegExp(`^${label}( \\*)?$`));
  const submit = async (form: string) => {
    await drawer(form).locator('button[type=submit]').click();
    await expect(drawer(form)).toBeHidden();
  };
  /** Fills the fields of a form by label, and selects options by text. */
  const fill = async (form: string | RegExp, fields: Fields) => {
    for (const [label, value] of Object.entries(fields)) {
      const input = field(form, label);
      if ((await input.evaluate((element) => element.tagName)) === 'SELECT') await input.selectOption({ label: value });
      else await input.fill(value);
    }
  };
  /** An empty list shows the same button in its message. */
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
    showsMessage: (text: string | RegExp) => expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible(),

    addClinic: async (fields: Fields) => {
      await press('Add clinic');
      await fill('Add clinic', fields);
      await submit('Add clinic');
    },
    find: (label: string, text: string) => page.getByLabel(label).fill(text),
    /** Opens the users of a clinic from the list of clinics. */
    openUsers: async (clinic: string) => {
      await menu(clinic, 'Users of the clinic');
      await expect(page.getByRole('heading', { level: 1, name: `Users of ${clinic}` })).toBeVisible();
    },
    /** Adds a user with a password. */
    addUser: async (fields: Fields) => {
      await press('Add user');
      await drawer('Add user').getByRole('radio', { name: 'Set a password now' }).check();
      await fill('Add user', fields);
      await submit('Add user');
    },
    /** Adds a user without a password. Returns the invitation link, as there is no mail server. */
    inviteUser: async (fields: Fields): Promise<string> => {
      await press('Add user');
      await fill('Add user', fields);
      await drawer('Add user').locator('button[type=submit]').click();
      const shown = drawer(/^Link for /);
      const link = await shown.getByLabel('Link to choose a new password').inputValue();
      await shown.getByRole('button', { name: 'Close' }).last().click();
      await expect(shown).toBeHidden();
      return link;
    },
    menu,

    openRoles: async () => {
      await page.getByRole('link', { name: 'Roles' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible();
    },
    /** Adds a role with the claims of another. */
    copyRole: async (from: string, name: string, rank: string) => {
      await press('New role');
      await fill('New role', { Name: name, Rank: rank });
      await drawer('New role').getByRole('combobox', { name: 'Copy rights from' }).click();
      await page.getByRole('option', { name: from }).click();
      await submit('New role');
      await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    },
    right: (name: string) => page.getByRole('checkbox', { name, exact: true }),
    saveRights: async () => {
      await press('Save');
      await expect(page.getByText(/unsaved changes?$/)).toBeHidden();
    },
    openClinics: async () => {
      await page.getByRole('link', { name: 'Clinics' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Clinics' })).toBeVisible();
    },
    signOut: header(page).signOut,
  };
};
