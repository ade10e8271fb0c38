import { expect, type Page } from '@playwright/test';

/** The menus of the patient's page, and the dialogs that they open. */
export const dialogs = (page: Page) => {
  const panel = page.getByRole('complementary', { name: 'Patient and studies' });
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });
  const said = page.getByRole('alert');
  return {
    panel,
    dialog,
    menuItem,
    said,
    /** The menu of a patient, a study, a series or an image, by the name of it. */
    openMenu: (name: string | RegExp) =>
      panel
        .getByRole('button', {
          name: typeof name === 'string' ? `More actions for ${name}` : name,
        })
        .first()
        .click(),
    choose: (name: string | RegExp) => menuItem(name).click(),
    imageLinks: panel.getByRole('link', { name: /^Open / }),
    /** The menu of an image in the list of studies; it comes with the pointer. */
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
