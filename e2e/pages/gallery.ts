import { expect, type Locator, type Page } from '@playwright/test';

/** Gallery page object, in English. */
export const gallery = (page: Page) => {
  const wall = page.getByRole('listbox', { name: 'Images' });
  const images = wall.getByRole('option');
  const chosen = wall.getByRole('option', { selected: true });
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
  return {
    open: async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Gallery' }).click();
      await expect(page).toHaveURL(/\/gallery$/);
      await expect(images.first().locator('img')).toBeVisible();
    },
    wall,
    images,
    chosen,
    button,
    /** The focused image. */
    focused: () => page.locator('[data-index]:focus'),
    narrowTo: async (modality: string) => {
      await button(/^Modality/).click();
      await page.getByRole('menuitemcheckbox', { name: modality }).click();
      await page.keyboard.press('Escape');
    },
    scrollTo: (top: number) =>
      wall.evaluate((box, to) => {
        box.scrollTop = to;
      }, top),
  };
};
