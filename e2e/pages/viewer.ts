import { expect, type Page } from '@playwright/test';

/** A point of the viewer, in fractions of its width and height. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The viewer with its tools and its panel: what a person does to an image, and what is said of it. */
export const viewerPage = (page: Page) => {
  const viewer = page.getByRole('region', { name: 'Image viewer' });
  const toolbar = page.getByRole('toolbar', { name: 'Image tools' });
  const panel = page.getByRole('complementary', { name: 'Display' });
  const frames = page.getByRole('group', { name: 'Frames' });
  const text = (testId: string) => viewer.getByTestId(testId);
  const at = async ({ x, y }: Spot) => {
    const box = await viewer.boundingBox();
    if (!box) throw new Error('the viewer is not on the page');
    return [box.x + box.width * x, box.y + box.height * y] as const;
  };
  return {
    viewer,
    panel,
    frames,
    zoom: text('overlay-zoom'),
    /** The window as it stands on the image; nothing while none does. */
    readWindow: async () => /C\s+\S+\s+W\s+\S+/.exec(await text('overlay-window').innerText())?.[0] ?? '',
    quality: text('overlay-quality'),
    value: text('overlay-value'),
    measurements: panel.getByRole('list', { name: 'Measurements' }).getByRole('listitem'),
    scale: (words: string) => panel.getByText(words),
    slider: (name: string) => panel.getByRole('slider', { name, exact: true }),
    choice: (name: string) => panel.getByRole('radio', { name, exact: true }),
    tool: (name: string) => toolbar.getByRole('button', { name, exact: true }),
    /** The image in hand is loaded, and its own pixels are on the screen. */
    isReady: async (content: 'image' | 'mount' | 'compare' = 'image') => {
      await expect(viewer).toHaveAttribute('data-content', content);
      await expect(viewer).toHaveAttribute('aria-busy', 'false');
    },
    isDrawn: (count = 1) => expect(text('overlay-zoom')).toHaveCount(count),
    press: (key: string) => page.keyboard.press(key),
    pointAt: async (spot: Spot) => page.mouse.move(...(await at(spot))),
    tapAt: async (spot: Spot) => page.mouse.click(...(await at(spot))),
    dragFrom: async (from: Spot, to: Spot) => {
      await page.mouse.move(...(await at(from)));
      await page.mouse.down();
      await page.mouse.move(...(await at({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })));
      await page.mouse.move(...(await at(to)));
      await page.mouse.up();
    },
    calibrate: async (lengthMm: string) => {
      const dialog = page.getByRole('dialog', { name: 'Calibrate the image' });
      await dialog.getByLabel('True length of the line').fill(lengthMm);
      await dialog.getByRole('button', { name: 'Calibrate', exact: true }).click();
      await expect(dialog).toBeHidden();
    },
    /** The archive keeps what was done: waits for its answer to a call of that path. */
    kept: (path: string) =>
      page.waitForResponse((reply) => reply.url().endsWith(path) && reply.request().method() !== 'GET' && reply.ok()),
    shortcuts: page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
  };
};
