import { expect, type Page } from '@playwright/test';

/** A point in the viewer as fractions of its width and height. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The viewer with toolbar and information panel. */
export const viewerPage = (page: Page) => {
  const viewer = page.getByRole('region', { name: 'Image viewer' });
  const toolbar = page.getByRole('toolbar', { name: 'Image tools' });
  const panel = page.getByRole('complementary', { name: 'Display' });
  const frames = page.getByRole('group', { name: 'Frames' });
  const text = (testId: string) => viewer.getByTestId(testId);
  const at = async ({ x, y }: Spot) => {
    const box = await viewer.boundingBox();
    if (!box) throw new Error('The viewer is not on the page');
    return [box.x + box.width * x, box.y + box.height * y] as const;
  };
  return {
    viewer,
    panel,
    frames,
    zoom: text('overlay-zoom'),
    /** The displayed window; missing while there is none. */
    readWindow: async () => /C\s+\S+\s+W\s+\S+/.exec(await text('overlay-window').innerText())?.[0] ?? '',
    quality: text('overlay-quality'),
    value: text('overlay-value'),
    marks: panel.getByRole('list', { name: 'Marks' }).getByRole('listitem'),
    drawnMarks: page.locator('svg [data-mark]'),
    textField: viewer.getByRole('textbox', { name: 'Text on the image' }),
    marksHidden: viewer.getByText('Marks hidden', { exact: true }),
    scale: (label: string) => panel.getByText(label),
    slider: (name: string) => panel.getByRole('slider', { name, exact: true }),
    choice: (name: string) => panel.getByRole('radio', { name, exact: true }),
    tool: (name: string) => toolbar.getByRole('button', { name, exact: true }),
    /** Clicks a tool; opens the other tools first where the row has no room for it. */
    clickTool: async (name: string) => {
      const inRow = toolbar.getByRole('button', { name, exact: true });
      if (await inRow.isVisible()) return inRow.click();
      await toolbar.getByRole('button', { name: 'More tools' }).click();
      await page.getByRole('menuitem', { name }).click();
    },
    /** The active image is loaded and drawn at full resolution. */
    isReady: async (content: 'image' | 'mount' | 'mounts' | 'compare' = 'image') => {
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
    /** Waits until the server has saved a call of that path. */
    saved: (path: string) =>
      page.waitForResponse((reply) => reply.url().endsWith(path) && reply.request().method() !== 'GET' && reply.ok()),
    /** Waits for a save of measurements with calibration; earlier saves without it are ignored. */
    savedCalibration: () =>
      page.waitForResponse(
        (reply) =>
          reply.url().endsWith('/image/marks') &&
          reply.request().method() === 'PUT' &&
          reply.ok() &&
          reply.request().postDataJSON().calibration !== null,
      ),
    /** The bar for unsaved changes of linked images, and its answers. */
    followed: viewer.getByText('That is not saved.'),
    saveFollowed: viewer.getByRole('button', { name: /^Save (it too|for all)$/ }),
    discardFollowed: viewer.getByRole('button', { name: 'Do not save' }),
    /** The link button while only the images are shown. */
    linkOnImages: viewer.getByRole('button', { name: 'Link images', exact: true }),
    shortcuts: page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
  };
};
