import { expect, type Page } from '@playwright/test';

/** Quality grade and changes of the active image, and the page of image quality. UI language: English. */
export const qualityPage = (page: Page) => {
  const section = page.getByRole('region', { name: 'Image quality' });
  const panel = page.getByRole('complementary', { name: 'Display' });
  return {
    status: section.getByRole('status'),
    reason: (name: string) => section.getByRole('button', { name, exact: true }),
    undo: section.getByRole('button', { name: 'Undo grade' }),
    report: page.getByRole('region', { name: 'Report' }),
    changes: panel.locator('details', { hasText: 'Changes' }).getByRole('listitem'),
    /** Opens the report of a period from the gallery. */
    open: async (from: string, to: string) => {
      const { pathname } = new URL(page.url());
      await page.goto(`${pathname.replace('/gallery', '/quality')}?from=${from}&to=${to}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Image quality' })).toBeVisible();
    },
    editImage: async () => {
      await panel.getByRole('button', { name: /^More actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Edit image' }).click();
    },
  };
};
