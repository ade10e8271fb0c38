import type { Locator, Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { notePage } from '../pages/notes.ts';
import { printPage } from '../pages/print.ts';
import { signInAs } from '../pages/sign-in.ts';
import { toothHistory } from '../pages/tooth-history.ts';
import { viewerPage } from '../pages/viewer.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 900 } });

/** Keys, clicks and drags that a task may need; typed text does not count. */
const maxSteps = 3;

/** Counts what the hand does, task by task. */
const hand = (page: Page) => {
  const counts: [string, number][] = [];
  const count = () => {
    const last = counts.at(-1);
    if (last) last[1]++;
  };
  return {
    task: (name: string) => void counts.push([name, 0]),
    press: async (key: string) => {
      count();
      await page.keyboard.press(key);
    },
    click: async (locator: Locator) => {
      count();
      await locator.click();
    },
    drag: async (drag: () => Promise<void>) => {
      count();
      await drag();
    },
    counts: () => counts,
  };
};

test('each task of the day takes at most three keys or clicks', async ({ page }) => {
  test.slow();
  await signInAs(page, 'doctor');
  const user = hand(page);
  const viewer = viewerPage(page);
  const prior = page.getByRole('group', { name: 'Comparison with an earlier image' });

  user.task('open the patient of today');
  await user.click(page.getByRole('tab', { name: 'Today' }));
  await user.click(page.getByRole('row', { name: /Söderqvist/ }));
  await expect(page).toHaveURL(/\/patient\//);

  user.task('newest bitewings large');
  await user.click(page.getByRole('link', { name: /^Mount Bitewing 4 / }).first());
  await viewer.isReady('mount');
  await expect(mountPage(page).slot(1)).toBeFocused();
  await user.press('Enter');
  await viewer.isReady();

  user.task('compare with two years ago');
  await user.press('b');
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  await expect(viewer.viewer.getByText(/^2 y( 1 m)? earlier$/)).toBeVisible();

  user.task('brighten');
  const windows = () => viewer.viewer.getByText(/^C\s+\S+\s+W\s+\S+$/).allInnerTexts();
  const [before] = await windows();
  await user.press('Shift+ArrowUp');
  await expect.poll(async () => (await windows()).at(-1)).not.toBe(before);

  user.task('measure');
  await user.press('l');
  await user.drag(() => viewer.dragFrom({ x: 0.65, y: 0.5 }, { x: 0.8, y: 0.5 }));
  await expect(viewer.drawnMarks).toHaveCount(1);

  user.task('next image');
  await expect(prior).toContainText('17 16 47 46');
  await user.press('.');
  await expect(prior).toContainText('Same slot');
  await expect(prior).not.toContainText('17 16 47 46');

  user.task('write a finding');
  await user.press('Shift+N');
  await page.keyboard.type('Ingen karies');
  await user.press('Control+Enter');
  await notePage(page).isSaved('Draft', 'Maja Lindqvist');

  user.task('print');
  await page.keyboard.press('Escape');
  await user.press('Control+p');
  const print = printPage(page);
  await expect(print.previewPictures).toHaveCount(2);
  await expect(print.dialog.getByRole('button', { name: 'Create PDF' })).toBeFocused();
  await user.press('Enter');
  const pdf = page.waitForEvent('popup');
  await user.click(print.dialog.getByRole('link', { name: 'Open PDF' }));
  await (await pdf).close();
  await page.keyboard.press('Escape');

  user.task('present');
  await user.press('Shift+H');
  await expect(page.locator('html')).toHaveAttribute('data-focus-mode', '');
  await page.keyboard.press('Escape');

  user.task('tooth 36 over the years');
  const history = toothHistory(page);
  await user.click(history.chart);
  await user.click(history.tooth(/^Tooth 36,/));
  await expect(history.strip.getByRole('heading', { name: 'Tooth 36' })).toBeVisible();
  expect((await history.dates()).length).toBeGreaterThan(1);

  const table = user.counts().map(([name, count]) => `${name}: ${count}`);
  console.log(table.join('\n'));
  expect(user.counts().filter(([, count]) => count > maxSteps)).toEqual([]);
});
