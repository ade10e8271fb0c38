import { expect, type Page } from '@playwright/test';
import { mountPage } from './mount.ts';
import { notePage } from './notes.ts';
import { printPage } from './print.ts';
import { toothHistory } from './tooth-history.ts';
import { viewerPage } from './viewer.ts';

/** Keys, clicks, taps and drags that a task may need once the patient is open; typed text does not count. */
const maxSteps = 3;

/** The tasks of a dentist's day, in their order. */
const tasks = [
  'open the patient of today',
  'newest bitewings large',
  'compare with two years ago',
  'brighten',
  'measure',
  'next',
  'tooth 36 over the years',
  'present',
  'print the mount',
  'write a finding',
] as const;
type Task = (typeof tasks)[number];

/** Counts what the hand does, task by task. */
export const stepCounter = () => {
  const counts = new Map<string, number>();
  let current = '';
  return {
    begin: (name: string) => {
      current = name;
      counts.set(name, 0);
    },
    /** Counts one key press, click, tap or drag, and does it. */
    step: async <Result>(act: () => Promise<Result>): Promise<Result> => {
      counts.set(current, (counts.get(current) ?? 0) + 1);
      return act();
    },
    counts: () => [...counts],
  };
};

/** What the hand does for each task; a task that is left out makes no sense in this way. */
export type Way = Readonly<Partial<Record<Task, () => Promise<void>>>> & {
  /** After presenting: the mount again, or the comparison where the mount is not printed. */
  readonly back: () => Promise<void>;
};

/** The result that each task must have. What it changed is undone by keys that are no part of the task, as the journeys share an archive. */
const outcomes = (page: Page) => {
  const viewer = viewerPage(page);
  const prior = page.getByRole('group', { name: 'Comparison with an earlier image' });
  const windows = viewer.viewer.getByText(/^C\s+\S+\s+W\s+\S+$/);
  /** Window centre of the current image, the last one. These images are MONOCHROME1: a higher centre is brighter. */
  const centre = async () =>
    Number(/^C\s+(\S+)/.exec((await windows.allInnerTexts()).at(-1) ?? '')?.[1]?.replaceAll(',', ''));
  const undo = () => page.keyboard.press('Control+z');
  let centreBefore = Number.NaN;
  const after: Record<Task, () => Promise<void>> = {
    'open the patient of today': async () => {
      await expect(page).toHaveURL(/\/patient\//);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Söderqvist');
      await toothHistory(page).showsAllTeeth();
    },
    'newest bitewings large': async () => {
      await viewer.isReady();
      await viewer.isDrawn();
      await expect(viewer.viewer).toContainText('17 16 47 46');
    },
    'compare with two years ago': async () => {
      await viewer.isReady('compare');
      await viewer.isDrawn(2);
      await expect(viewer.viewer.getByText(/^2 y( 1 m)? earlier$/)).toBeVisible();
      centreBefore = await centre();
    },
    brighten: async () => {
      await expect.poll(centre).toBeGreaterThan(centreBefore);
      await undo();
      await expect.poll(centre).toBe(centreBefore);
    },
    measure: async () => {
      await expect(viewer.drawnMarks).toHaveCount(1);
      await expect(viewer.drawnMarks).toHaveAccessibleName(/^Length: [1-9]\d*\.\d mm/);
      await undo();
      await expect(viewer.drawnMarks).toHaveCount(0);
      await expect(prior).toContainText('17 16 47 46');
    },
    next: async () => {
      await expect(prior).toContainText('Same slot');
      await expect(prior).not.toContainText('17 16 47 46');
      await viewer.isDrawn(2);
    },
    'tooth 36 over the years': async () => {
      const history = toothHistory(page);
      await expect(history.strip.getByRole('heading', { name: 'Tooth 36' })).toBeInViewport();
      expect((await history.dates()).length).toBeGreaterThan(1);
    },
    present: async () => {
      await expect(page.locator('html')).toHaveAttribute('data-focus-mode', '');
      // The images have the whole screen.
      await expect.poll(() => viewer.viewer.boundingBox()).toMatchObject({ x: 0, y: 0, ...page.viewportSize() });
    },
    'print the mount': async () => {
      await page.keyboard.press('Escape');
      await expect(printPage(page).dialog).toBeHidden();
      await mountPage(page).isDrawn();
    },
    'write a finding': async () => {
      const note = notePage(page);
      await note.isSaved('Draft', 'Maja Lindqvist');
      await note.button('Remove').press('Enter');
      await note.isSaved('Removed', 'Maja Lindqvist');
    },
  };
  return after;
};

/** Does all tasks of a way, checks each result and the number of steps, and prints the numbers. */
export const doTasks = async (page: Page, way: Way, hand: ReturnType<typeof stepCounter>) => {
  const after = outcomes(page);
  for (const task of tasks) {
    const act = way[task];
    if (!act) continue;
    hand.begin(task);
    await act();
    await after[task]();
    if (task !== 'present') continue;
    hand.begin('back from presenting');
    await way.back();
  }
  const counts = hand.counts();
  console.log(counts.map(([name, count]) => `${name}: ${count}`).join('\n'));
  expect(counts.filter(([, count]) => count > maxSteps)).toEqual([]);
};

/** Waits for the print dialog, and returns what waits for the PDF that opens. */
export const expectPrint = async (page: Page, pictures: number) => {
  const print = printPage(page);
  await expect(print.previewPictures).toHaveCount(pictures);
  const create = print.dialog.getByRole('button', { name: 'Create PDF' });
  await expect(create).toHaveAttribute('aria-disabled', 'false');
  return { create, open: print.dialog.getByRole('link', { name: 'Open PDF' }) };
};

/** Does what opens the PDF, and closes it. */
export const opensPdf = async (page: Page, act: () => Promise<void>) => {
  const [pdf] = await Promise.all([page.waitForEvent('popup'), act()]);
  await pdf.close();
};
