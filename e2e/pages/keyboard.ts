import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';

/** Margin around a control in CSS px: includes the focus ring, excludes the tooltip. */
const margin = 4;
/** Maximum number of Tab presses on a page. */
const maxStops = 60;
/** Difference of a color channel (of 255) above which a pixel counts as changed. */
const plain = 48;

interface Stop {
  /** Kind of the focused control; one of each kind is checked. */
  readonly kind: string;
  readonly html: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Returns the focused control, or the element that represents a hidden native one; null at the end of the page. */
const stopOf = (page: Page): Promise<Stop | null> =>
  page.evaluate((by) => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    const own = focused.getBoundingClientRect();
    const isDrawnOver = own.width < 4 || getComputedStyle(focused).opacity === '0';
    const label = focused.id && document.querySelector(`label[for="${CSS.escape(focused.id)}"]`);
    const shown = (isDrawnOver && (label || focused.closest('label') || focused.parentElement)) || focused;
    const { x, y, width, height } = shown.getBoundingClientRect();
    const library = [...focused.classList].filter((name) => name.startsWith('mantine-')).at(-1) ?? '';
    const type = focused.getAttribute('type') ?? '';
    const left = Math.max(0, x - by);
    const top = Math.max(0, y - by);
    return {
      kind: [focused.tagName, type, focused.getAttribute('role') ?? '', library].join(' '),
      html: focused.outerHTML.slice(0, 200),
      box: {
        x: left,
        y: top,
        width: Math.min(window.innerWidth, x + width + by) - left,
        height: Math.min(window.innerHeight, y + height + by) - top,
      },
    };
  }, margin);

/** Red, green and blue of each pixel. */
const pixelsOf = async (page: Page, clip: Stop['box']) =>
  sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer();

/** Counts the visibly different pixels. */
const difference = (one: Buffer, other: Buffer): number => {
  let count = 0;
  for (let at = 0; at < one.length; at += 3)
    if ([0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) >= plain))
      count += 1;
  return count;
};

/** Keyboard checks of a page. */
export const keyboard = (page: Page) => {
  const looked = new Set<string>();
  const expectFocusInside = async (shown: Locator) => {
    await expect(shown).toBeVisible();
    await expect.poll(() => shown.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  };
  const expectFocusInsideAndBack = async (opener: Locator, shown: Locator) => {
    await expectFocusInside(shown);
    await page.keyboard.press('Escape');
    await expect(shown).toBeHidden();
    await expect.soft(opener).toBeFocused();
  };
  return {
    /** Tabs once through the page or its dialog and checks that each kind of control shows its focus. Returns the number of new kinds. */
    showsFocus: async () => {
      const before = looked.size;
      const passed: string[] = [];
      while (passed.length < maxStops) {
        await page.keyboard.press('Tab');
        const stop = await stopOf(page);
        // After the last control focus leaves for the browser UI and then returns to the first, which ends the loop.
        if (stop && stop.html === passed[0]) break;
        if (stop) passed.push(stop.html);
        if (!stop || looked.has(stop.kind)) continue;
        looked.add(stop.kind);
        const { box } = stop;
        expect.soft(Math.min(box.width, box.height), `in sight: ${stop.html}`).toBeGreaterThan(0);
        if (Math.min(box.width, box.height) <= 0) continue;
        const focused = await pixelsOf(page, box);
        await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
        const changed = difference(focused, await pixelsOf(page, box));
        expect.soft(changed, `shows the focus: ${stop.html}`).toBeGreaterThan((box.width + box.height) / 2);
      }
      return looked.size - before;
    },
    /** Opens with Enter and closes with Escape: focus moves in, and returns to the control. */
    comesBack: async (opener: Locator, shown: Locator) => {
      await opener.press('Enter');
      await expectFocusInsideAndBack(opener, shown);
    },
    /** Selects a menu item: focus returns to the menu button. */
    comesBackByMenu: async (opener: Locator, item: string | RegExp, shown: Locator) => {
      await opener.press('Enter');
      // Opening a menu focuses its first item asynchronously, possibly after another item was chosen.
      await expectFocusInside(page.getByRole('menu'));
      await page.getByRole('menuitem', { name: item }).press('Enter');
      await expectFocusInsideAndBack(opener, shown);
    },
  };
};
