import { expect, type Page } from '@playwright/test';

/** Four spots that are far apart, as fractions of what shows a picture. */
export const blinkSpots = [
  [0.35, 0.35],
  [0.65, 0.35],
  [0.65, 0.65],
  [0.35, 0.65],
] as const;

/** The dialog that lays two compared images over each other. */
export const blinkPage = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Lay two images over each other' });
  const picture = (name: RegExp) => dialog.getByRole('application', { name });
  const clickAt = async (side: 'Left' | 'Right', x: number, y: number) => {
    const box = await picture(new RegExp(`^${side} image`)).boundingBox();
    if (!box) throw new Error('The picture is not on the page');
    await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  };
  return {
    dialog,
    both: picture(/^Both images/),
    shown: dialog.locator('[data-shown]'),
    isReady: () => expect(picture(/^Left image/)).toBeFocused(),
    /** Sets the same four points in both, as fractions of what shows them. */
    setPoints: async (spots: readonly (readonly [number, number])[]) => {
      for (const [x, y] of spots) {
        await clickAt('Left', x, y);
        await clickAt('Right', x, y);
      }
    },
  };
};
