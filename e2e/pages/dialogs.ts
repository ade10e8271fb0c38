import { expect, type Page } from '@playwright/test';

/** Menus and dialogs of the patient page. */
export const dialogs = (page: Page) => {
  const panel = page.getByRole('complementary', { name: 'Patient and studies' });
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });
  const alert = page.getByRole('alert');
  return {
    panel,
    dialog,
    menuItem,
    alert,
    /** Opens the menu of a patient, study, series or image by its name. */
    openMenu: (name: string | RegExp) =>
      panel
        .getByRole('button', {
          name: typeof name === 'string' ? `More actions for ${name}` : name,
        })
        .first()
        .click(),
    choose: (name: string | RegExp) => menuItem(name).click(),
    imageLinks: panel.getByRole('link', { name: /^Open / }),
    /** Opens the menu of an image in the study list, which shows on hover. */
    openImageMenu: async (index: number) => {
      const cell = panel
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: /^Open / }) })
        .filter({ hasNot: page.getByRole('list') })
        .nth(index);
      await cell.hover();
      await cell.getByRole('button', { name: /^More actions for / }).click();
    },
    save: (name: string) => dialog(name).getByRole('button', { name: 'Save', exact: true }).click(),
    isClosed: (name: string) => expect(dialog(name)).toBeHidden(),
    undo: () => page.getByRole('button', { name: 'Undo', exact: true }).last().click(),
  };
};
