import { expect, type Page } from '@playwright/test';

/** The help, in the reader's verbs. */
export const helpPage = (page: Page) => {
  const box = page.getByRole('searchbox', { name: 'Search the help' });
  return {
    open: async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
    },
    /** Leaves what speaks of `text`. */
    search: (text: string) => box.fill(text),
    chapters: () => page.getByRole('main').getByRole('heading', { level: 2 }),
    goTo: (chapter: string) =>
      page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: chapter }).click(),
    says: (text: string | RegExp) => expect(page.getByRole('main').getByText(text).first()).toBeVisible(),
    /** What a message means, by its words. */
    meaning: (said: string) =>
      page.getByRole('main').getByRole('term').filter({ hasText: said }).locator('xpath=following-sibling::dd'),
  };
};
