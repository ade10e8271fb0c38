import { expect, type Page } from '@playwright/test';

/** The section of a note in the panel of the viewer. UI language: English. */
export const notePage = (page: Page, about: 'image' | 'mount' = 'image') => {
  const name = `Note on the ${about}`;
  const section = page.getByRole('region', { name });
  const field = section.getByRole('textbox', { name });
  const button = (label: string) => section.getByRole('button', { name: label, exact: true });
  return {
    section,
    field,
    button,
    /** State, author and time of the newest version. */
    status: section.getByRole('status'),
    /** Opens the earlier versions and returns their texts with state and author, newest first. */
    earlier: async () => {
      const list = section.locator('details');
      if ((await list.getAttribute('open')) === null) await list.locator('summary').click();
      return list.getByRole('listitem').allInnerTexts();
    },
    isSaved: async (state: 'Draft' | 'Signed' | 'Removed', author: string) => {
      await expect(section.getByRole('status')).toContainText(state);
      await expect(section.getByRole('status')).toContainText(author);
      await expect(section.getByText('Your text is not saved yet.')).toBeHidden();
    },
  };
};
