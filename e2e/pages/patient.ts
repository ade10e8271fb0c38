import { expect, type Page } from '@playwright/test';

/** The page of a patient: studies, mounts, the image in hand, files dropped onto it. */
export const patientPage = (page: Page) => {
  const viewer = page.getByRole('region', { name: 'Image viewer' });
  const overlay = () => viewer.innerText();
  /** Greys of the viewer as it stands on the screen, 0 to 255, row by row. */
  const pixels = async (): Promise<number[]> => {
    const png = await viewer.screenshot();
    const greys = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const greys = Uint8Array.from({ length: data.length / 4 }, (_, index) => data[index * 4 + 1] ?? 0);
      // As one text, a character each: a list of a million numbers takes seconds on its way.
      let text = '';
      for (let at = 0; at < greys.length; at += 8192) text += String.fromCharCode(...greys.subarray(at, at + 8192));
      return text;
    }, png.toString('base64'));
    return [...Buffer.from(greys, 'latin1')];
  };
  return {
    viewer,
    images: () => page.getByRole('link', { name: /^Open / }),
    thumbnails: () => page.locator('a[aria-label^="Open "] img'),
    openFirstImage: async () => {
      await page
        .getByRole('link', { name: /^Open / })
        .first()
        .click();
      await expect(viewer).toHaveAttribute('aria-busy', 'false');
      await expect(viewer).toContainText(/C -?[\d.,]+\s+W [\d.,]+/);
    },
    tool: (name: string) => page.getByRole('toolbar', { name: 'Image tools' }).getByRole('button', { name }),
    windowText: async () =>
      /C (-?[\d.,]+)\s+W ([\d.,]+)/
        .exec(await overlay())
        ?.slice(1)
        .map((text) => Number(text.replaceAll(',', ''))) ?? [],
    zoomText: async () => Number(/([\d.]+) %/.exec(await overlay())?.[1] ?? Number.NaN),
    drag: async (byX: number, byY: number) => {
      const box = await viewer.boundingBox();
      if (!box) throw new Error('the viewer is not on the page');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + byX / 2, y + byY / 2);
      await page.mouse.move(x + byX, y + byY);
      await page.mouse.up();
    },
    /** The greys once nothing moves any more: two looks in a row are the same. */
    restingPixels: async () => {
      let last: number[] = [];
      await expect
        .poll(
          async () => {
            const now = await pixels();
            const same = now.length === last.length && now.every((grey, index) => grey === last[index]);
            last = now;
            return same;
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      return last;
    },
    /** How the drawn image looks: mean and spread of its greys, 0 to 255. */
    look: async () => {
      const greys = await pixels();
      const mean = greys.reduce((sum, grey) => sum + grey, 0) / greys.length;
      return { mean, spread: Math.sqrt(greys.reduce((sum, grey) => sum + (grey - mean) ** 2, 0) / greys.length) };
    },
    /** Mean difference of each grey from what was seen before; 255 when the picture has another size. */
    differenceFrom: async (before: readonly number[]) => {
      const now = await pixels();
      if (now.length !== before.length) return 255;
      return now.reduce((sum, grey, index) => sum + Math.abs(grey - (before[index] ?? 0)), 0) / now.length;
    },
  };
};
