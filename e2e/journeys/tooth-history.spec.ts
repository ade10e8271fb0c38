import type { Page } from '@playwright/test';
import { replyTo } from '../pages/replies.ts';
import { toothHistory } from '../pages/tooth-history.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

interface Listed {
  readonly uid: string;
  readonly kind: string;
  readonly seriesModalityValue: string;
  readonly teeth: readonly number[];
  readonly imageAcquiredDate: string | null;
}

interface ListedStudy {
  readonly series: readonly { readonly images: readonly Listed[] }[];
  readonly viewsets: readonly {
    readonly mounted: readonly { readonly imageUid: string; readonly teeth: readonly number[] }[];
  }[];
}

type MountedImage = Listed & { readonly slotTeeth: readonly number[] };

/** Opens a patient with bitewings of two years, a full mouth series, a panoramic image and a photograph. Returns the images. */
const openPatient = async (page: Page): Promise<readonly MountedImage[]> => {
  const listing = replyTo<{ data: ListedStudy[] }>(page, /\/study\/bypatient\//);
  await visitPatient(page, 'doctor', 'lindgård', 'Lindgård');
  const { data } = await listing;
  const slots = data.flatMap(({ viewsets }) => viewsets).flatMap(({ mounted }) => mounted);
  return data
    .flatMap(({ series }) => series)
    .flatMap(({ images }) => images)
    .map((image) => ({
      ...image,
      slotTeeth: slots.filter(({ imageUid }) => imageUid === image.uid).flatMap(({ teeth }) => teeth),
    }));
};

/** Ids of the images that show a tooth, oldest first. */
const idsOf = (images: readonly MountedImage[], tooth: number): readonly string[] =>
  images
    .filter(({ teeth, slotTeeth }) => (slotTeeth.length > 0 ? slotTeeth : teeth).includes(tooth))
    .toSorted((one, other) => ((one.imageAcquiredDate ?? '') < (other.imageAcquiredDate ?? '') ? -1 : 1))
    .map(({ uid }) => uid);

test('a tooth of the chart shows exactly its images by date, and those without teeth apart', async ({ page }) => {
  const images = await openPatient(page);
  const history = toothHistory(page);
  await history.choose(36);
  await expect(page).toHaveURL(/[?&]history=36$/);
  const expected = idsOf(images, 36);
  expect(expected.length).toBeGreaterThan(2);
  expect((await history.uids()).slice(0, expected.length)).toEqual(expected);
  const dates = (await history.dates()).slice(0, expected.length);
  expect(dates).toEqual(dates.toSorted());
  expect(new Set(dates).size).toBeGreaterThan(1);
  // Other journeys import images without teeth for this patient.
  const withoutTeeth = images.filter(
    ({ kind, teeth, slotTeeth }) => kind === 'image' && teeth.length === 0 && slotTeeth.length === 0,
  );
  const panoramics = withoutTeeth.filter(({ seriesModalityValue }) => seriesModalityValue === 'PX');
  expect(panoramics).toHaveLength(1);
  await expect(history.group('Without teeth').getByRole('option')).toHaveCount(withoutTeeth.length);
  await expect(history.images).toHaveCount(expected.length + withoutTeeth.length);

  await history.strip.getByRole('button', { name: /^Show panoramics/ }).click();
  await expect(history.group('Without teeth').getByRole('option')).toHaveCount(withoutTeeth.length - 1);
  await history.strip.getByRole('combobox', { name: 'Show' }).selectOption('Lower jaw');
  await expect(history.strip.getByRole('heading', { name: 'Lower jaw' })).toBeVisible();
  // The address shows the same in another tab.
  const shown = await history.uids();
  await page.reload();
  await expect.poll(history.uids).toEqual(shown);
});

test('keyboard alone: H, walk, open, mark, compare, close', async ({ page }) => {
  const images = await openPatient(page);
  const history = toothHistory(page);
  const viewer = viewerPage(page);
  const [oldest = '', ...later] = idsOf(images, 36);
  const newest = later.at(-1) ?? '';
  const patient = /\/patient\/[^/?]+/.exec(page.url())?.[0] ?? '';
  await page.goto(`${patient}?image=${oldest}`);
  await viewer.isReady();

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-uid') ?? null);
  await page.keyboard.press('h');
  await expect(history.strip).toBeVisible();
  await expect.poll(focused).toBe(oldest);
  // The first tooth of the image is shown; the others are a choice.
  const teeth = history.strip.getByRole('group', { name: 'Teeth of the open image' });
  await expect(teeth.getByRole('button', { pressed: true })).toHaveCount(1);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await expect(history.strip).toBeHidden();

  await page.goto(`${patient}?image=${oldest}&history=36`);
  await viewer.isReady();
  await history.images.first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe(oldest);
  await page.keyboard.press('Space');
  for (const uid of later) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe(uid);
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`image=${newest}&history=36`));
  await viewer.isReady();
  await viewer.isDrawn();
  await expect.poll(focused).toBe(newest);
  await page.keyboard.press('Space');
  await expect(history.marked).toHaveCount(2);
  await page.keyboard.press('c');
  await expect(page).toHaveURL(new RegExp(`compare=${oldest},${newest}&history=36`));
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  await page.keyboard.press('Escape');
  await expect(history.strip).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`compare=${oldest},${newest}$`));
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('on a small screen: choose a tooth, mark by the circles, compare', async ({ page }) => {
    const images = await openPatient(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const history = toothHistory(page);
    await history.chart.tap();
    await history.tooth(/^Tooth 36,/).tap();
    await expect(history.strip).toBeInViewport();
    const [oldest, newest] = [idsOf(images, 36)[0], idsOf(images, 36).at(-1)];
    for (const uid of [newest, oldest]) {
      const circle = history.strip.locator(`[data-uid="${uid}"] [data-check]`);
      await circle.scrollIntoViewIfNeeded();
      const box = await circle.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      await circle.tap();
    }
    await history.strip.getByRole('button', { name: 'Compare 2' }).tap();
    await expect(page).toHaveURL(new RegExp(`compare=${oldest},${newest}&history=36`));
    await viewerPage(page).isReady('compare');
  });
});
