import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';

/** Around a control, in CSS px: the ring of the focus, and not yet the tooltip. */
const margin = 4;
/** So many controls are passed on one page. */
const mostStops = 60;
/** From here on, of 255, a channel of a pixel has changed for everybody to see. */
const plain = 48;

interface Stop {
  /** What sort of control has the focus: one of each sort is looked at. */
  readonly kind: string;
  readonly html: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The control that has the focus, with what stands for it where the browser's own is drawn over; null at the end of the page. */
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

/** How many pixels differ so much that anybody sees it. */
const difference = (one: Buffer, other: Buffer): number => {
  let count = 0;
  for (let at = 0; at < one.length; at += 3)
    if ([0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) >= plain))
      count += 1;
  return count;
};

/** The page as somebody uses it who has no mouse. */
export const keyboard = (page: Page) => {
  const looked = new Set<string>();
  const goesIn = async (shown: Locator) => {
    await expect(shown).toBeVisible();
    await expect.poll(() => shown.evaluate((place) => place.contains(document.activeElement))).toBe(true);
  };
  const goesInAndBack = async (opener: Locator, shown: Locator) => {
    await goesIn(shown);
    await page.keyboard.press('Escape');
    await expect(shown).toBeHidden();
    await expect.soft(opener).toBeFocused();
  };
  return {
    /** Once around by Tab, through the page or the dialog over it: each kind of control shows that it has the focus. Answers how many kinds were new. */
    showsFocus: async () => {
      const before = looked.size;
      const passed: string[] = [];
      while (passed.length < mostStops) {
        await page.keyboard.press('Tab');
        const stop = await stopOf(page);
        // After the last control comes the browser's own, and then the first: where one began, the round is done.
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
    /** Opened by Enter, closed by Escape: the focus goes in, and comes back to where it was. */
    comesBack: async (opener: Locator, shown: Locator) => {
      await opener.press('Enter');
      await goesInAndBack(opener, shown);
    },
    /** Through a menu: the focus comes back to the button of the menu. */
    comesBackByMenu: async (opener: Locator, item: string | RegExp, shown: Locator) => {
      await opener.press('Enter');
      // A menu that opens takes the focus to its first item, also from the one that is about to be chosen.
      await goesIn(page.getByRole('menu'));
      await page.getByRole('menuitem', { name: item }).press('Enter');
      await goesInAndBack(opener, shown);
    },
  };
};
