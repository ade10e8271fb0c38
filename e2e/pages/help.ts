import { expect, type Page } from '@playwright/test';

/** Help page object. */
export const helpPage = (page: Page) => {
  const box = page.getByRole('searchbox', { name: 'Search the help' });
  return {
    open: async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
    },
    /** Filters the help by `text`. */
    search: (text: string) => box.fill(text),
    chapters: () => page.getByRole('main').getByRole('heading', { level: 2 }),
    goTo: (chapter: string) =>
      page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: chapter }).click(),
    showsMessage: (text: string | RegExp) => expect(page.getByRole('main').getByText(text).first()).toBeVisible(),
    /** The explanation of a message. */
    meaning: (message: string) =>
      page.getByRole('main').getByRole('term').filter({ hasText: message }).locator('xpath=following-sibling::dd'),
  };
};
