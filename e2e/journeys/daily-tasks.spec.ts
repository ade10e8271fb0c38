import type { Locator, Page } from '@playwright/test';
import { doTasks, expectPrint, opensPdf, stepCounter } from '../pages/daily-tasks.ts';
import { finger, type Point } from '../pages/finger.ts';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { notePage } from '../pages/notes.ts';
import { signInAs } from '../pages/sign-in.ts';
import { toothHistory } from '../pages/tooth-history.ts';
import { viewerPage } from '../pages/viewer.ts';
import { expect, test } from '../test.ts';

const finding = 'Ingen karies';
const today = (page: Page) => page.getByRole('tab', { name: 'Today' });
const row = (page: Page) => page.getByRole('row', { name: /Söderqvist/ });
const newestBitewings = (page: Page) => page.getByRole('link', { name: /^Mount Bitewing 4 / }).first();
const saveDraft = (page: Page) => notePage(page).button('Save draft');

/** The tasks that are one key or two, beside a mouse too. */
const tasksByKeys = (page: Page, press: (key: string) => Promise<void>) => {
  const viewer = viewerPage(page);
  return {
    'compare with two years ago': () => press('b'),
    brighten: () => press('Shift+ArrowUp'),
    next: () => press('.'),
    present: () => press('Shift+H'),
    back: async () => {
      await press('Escape');
      await press('Escape');
      await viewer.isReady();
      await press('Escape');
      await viewer.isReady('mount');
    },
    'write a finding': async () => {
      await press('Shift+N');
      await page.keyboard.type(finding);
      await press('Control+Enter');
    },
  };
};

test.describe('with keys and mouse', () => {
  test.use({ viewport: { width: 1760, height: 900 } });

  test('each task of the day takes at most three keys or clicks', async ({ page }) => {
    test.slow();
    await signInAs(page, 'doctor');
    const hand = stepCounter();
    const press = (key: string) => hand.step(() => page.keyboard.press(key));
    const click = (locator: Locator) => hand.step(() => locator.click());
    const viewer = viewerPage(page);
    const history = toothHistory(page);
    await doTasks(
      page,
      {
        ...tasksByKeys(page, press),
        'open the patient of today': async () => {
          await click(today(page));
          await click(row(page));
        },
        'newest bitewings large': async () => {
          await click(newestBitewings(page));
          await viewer.isReady('mount');
          await expect(mountPage(page).slot(1)).toBeFocused();
          await press('Enter');
        },
        measure: async () => {
          await press('l');
          await hand.step(() => viewer.dragFrom({ x: 0.65, y: 0.5 }, { x: 0.8, y: 0.5 }));
        },
        'tooth 36 over the years': async () => {
          await click(history.chart);
          await click(history.tooth(/^Tooth 36,/));
        },
        'print the mount': async () => {
          await press('Control+p');
          const { create, open } = await expectPrint(page, 4);
          await expect(create).toBeFocused();
          await press('Enter');
          await expect(open).toBeVisible();
          await opensPdf(page, () => click(open));
        },
      },
      hand,
    );
  });

  /** Steering a point with the arrow keys is not counted, like the way of the mouse in a drag. */
  test('each task of the day takes at most three keys by keyboard alone', async ({ page }) => {
    test.slow();
    await signInAs(page, 'doctor');
    await expect(page.getByRole('row', { name: /Ek, Anders/ })).toBeVisible();
    const hand = stepCounter();
    const press = (key: string) => hand.step(() => page.keyboard.press(key));
    /** The key and its repeats while it is held down. */
    const steer = async (key: string, repeats = 0) => {
      for (let time = 0; time <= repeats; time++) await page.keyboard.down(key);
      await page.keyboard.up(key);
    };
    const viewer = viewerPage(page);
    await doTasks(
      page,
      {
        ...tasksByKeys(page, press),
        'open the patient of today': async () => {
          await press('/');
          await page.keyboard.type('söderq');
          await expect(header(page).hits().first()).toContainText('Söderqvist');
          await press('ArrowDown');
          await press('Enter');
        },
        'newest bitewings large': async () => {
          await viewer.isReady();
          await press('Shift+PageDown');
          await viewer.isReady('mount');
          await expect(mountPage(page).slot(1)).toBeFocused();
          await press('Enter');
        },
        measure: async () => {
          await press('l');
          await steer('ArrowUp', 2);
          await press('Enter');
          await steer('ArrowRight', 8);
          await steer('ArrowDown');
          await press('Enter');
        },
        'tooth 36 over the years': async () => {
          await press('h');
          await expect(toothHistory(page).strip.locator(':focus')).toBeVisible();
          await press('3');
          await press('6');
          await expect(toothHistory(page).strip.getByRole('option').locator(':scope:focus')).toBeVisible();
        },
        'print the mount': async () => {
          await press('Control+p');
          const { create, open } = await expectPrint(page, 4);
          await expect(create).toBeFocused();
          await press('Enter');
          await expect(open).toBeFocused();
          await opensPdf(page, () => press('Enter'));
        },
      },
      hand,
    );
  });
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  const touchOf = (page: Page) => {
    const hand = stepCounter();
    const viewer = viewerPage(page);
    const toolbar = page.getByRole('toolbar', { name: 'Image tools' });
    const tap = (locator: Locator) => hand.step(() => locator.tap());
    const at = async (x: number, y: number): Promise<Point> => {
      const box = await viewer.viewer.boundingBox();
      if (!box) throw new Error('The viewer is not on the page');
      return { x: box.x + box.width * x, y: box.y + box.height * y };
    };
    return {
      hand,
      tap,
      drag: (from: readonly [number, number], to: readonly [number, number]) =>
        hand.step(async () => (await finger(page)).draw(await at(...from), await at(...to))),
      /** Scrolls something into view, which counts as one drag, and taps it. */
      reach: async (locator: Locator) => {
        const isInView = await locator.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const top = document.elementFromPoint(x + width / 2, y + height / 2);
          return element.contains(top);
        });
        if (!isInView) await hand.step(() => locator.scrollIntoViewIfNeeded());
        await tap(locator);
      },
      /** Taps a tool; opens the other tools first where the toolbar has no room for it. */
      tool: async (name: string) => {
        const inRow = toolbar.getByRole('button', { name, exact: true });
        if ((await inRow.count()) > 0) return tap(inRow);
        await tap(toolbar.getByRole('button', { name: 'More tools' }));
        // The text of the key follows the name.
        await tap(page.getByRole('menuitem', { name }).first());
        // While it fades it covers the images.
        await expect(page.getByRole('menu')).toBeHidden();
      },
    };
  };

  const openToday =
    (page: Page, { tap }: ReturnType<typeof touchOf>) =>
    async () => {
      await tap(today(page));
      await tap(row(page));
    };

  test('each task of the day takes at most three taps or drags on a tablet', async ({ page }) => {
    test.slow();
    await signInAs(page, 'doctor');
    await page.setViewportSize({ width: 1024, height: 768 });
    const touch = touchOf(page);
    const { hand, tap, drag, reach, tool } = touch;
    const viewer = viewerPage(page);
    const history = toothHistory(page);
    await doTasks(
      page,
      {
        'open the patient of today': openToday(page, touch),
        'newest bitewings large': async () => {
          await viewer.isReady();
          await reach(newestBitewings(page));
          await viewer.isReady('mount');
          // A double tap counts as two.
          await hand.step(() => hand.step(() => mountPage(page).doubleTap(1)));
        },
        'compare with two years ago': () => tool('Compare with earlier image'),
        brighten: () => drag([0.5, 0.8], [0.5, 0.65]),
        measure: async () => {
          await tool('Length');
          await drag([0.4, 0.75], [0.6, 0.75]);
        },
        next: () => tool('Next image'),
        'tooth 36 over the years': async () => {
          await reach(history.chart);
          await tap(history.tooth(/^Tooth 36,/));
        },
        present: () => tool('Images only'),
        back: async () => {
          await tap(viewer.viewer.getByRole('button', { name: 'Show tools and panels' }));
          await tool('Back');
          await viewer.isReady();
          await tool('Back');
          await viewer.isReady('mount');
        },
        'print the mount': async () => {
          await tool('Print …');
          const { create, open } = await expectPrint(page, 4);
          await reach(create);
          await expect(open).toBeVisible();
          await opensPdf(page, () => tap(open));
        },
        'write a finding': async () => {
          await reach(notePage(page).field);
          await page.keyboard.insertText(finding);
          await reach(saveDraft(page));
        },
      },
      hand,
    );
  });

  /** Printing is left to the workstations, which have the printers. */
  test('each task of the day that makes sense on a phone takes at most three taps or drags', async ({ page }) => {
    test.slow();
    await signInAs(page, 'doctor');
    await page.setViewportSize({ width: 390, height: 844 });
    const touch = touchOf(page);
    const { hand, tap, drag, reach, tool } = touch;
    const viewer = viewerPage(page);
    const history = toothHistory(page);
    const panel = page.getByRole('complementary', { name: 'Display' });
    await doTasks(
      page,
      {
        'open the patient of today': openToday(page, touch),
        'newest bitewings large': async () => {
          await viewer.isReady();
          await reach(page.getByRole('link', { name: /^Open .*17 16 47 46/ }).first());
        },
        'compare with two years ago': () => tool('Compare with earlier image'),
        brighten: () => drag([0.75, 0.7], [0.75, 0.5]),
        measure: async () => {
          await tool('Length');
          await drag([0.6, 0.5], [0.9, 0.5]);
        },
        next: () => tool('Next image'),
        'tooth 36 over the years': async () => {
          await reach(history.chart);
          await tap(history.tooth(/^Tooth 36,/));
        },
        present: () => tool('Images only'),
        back: () => tap(viewer.viewer.getByRole('button', { name: 'Show tools and panels' })),
        'write a finding': async () => {
          await tap(panel.getByRole('button', { name: 'Note on the image' }));
          await reach(notePage(page).field);
          await page.keyboard.insertText(finding);
          await reach(saveDraft(page));
        },
      },
      hand,
    );
  });
});
