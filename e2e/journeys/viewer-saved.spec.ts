import type { Page, Route } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import { replyTo } from '../pages/replies.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 700 } });

/** Opens the first image of the mount of four bitewings. */
const openImage = async (page: Page, slot: number) => {
  await visitPatient(page, 'doctor', 'hakansson', 'Håkansson');
  const [mount, viewer] = [mountPage(page), viewerPage(page)];
  await page.getByRole('link', { name: /^Mount Bitewing 4/ }).click();
  await expect(mount.filled).toHaveCount(4);
  await mount.choose(slot);
  await viewer.isReady('mount');
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  return viewer;
};

/** Waits for a save of display settings that satisfies `isIt`. */
const displaySaved = (page: Page, isIt: (body: { imageUid: string; display: object | null }) => boolean) =>
  page.waitForResponse(
    (reply) =>
      reply.url().endsWith('/viewset/image/display') &&
      reply.request().method() === 'PUT' &&
      reply.ok() &&
      isIt(reply.request().postDataJSON()),
  );

test('Backspace resets an image permanently, and can be undone', async ({ page }) => {
  test.slow();
  const viewer = await openImage(page, 3);
  const patient = patientPage(page);
  await page.mouse.move(0, 0);
  const asItCame = await viewer.readWindow();
  const pixels = await patient.restingPixels();
  const changed = displaySaved(
    page,
    ({ display }) => display !== null && 'inverted' in display && display.inverted === true,
  );
  for (let step = 0; step < 4; step += 1) await viewer.press('Shift+ArrowUp');
  await viewer.press('i');
  await expect.poll(viewer.readWindow).not.toBe(asItCame);
  await changed;
  // The image is fully drawn.
  await patient.restingPixels();
  const asChanged = await viewer.readWindow();

  const reset = displaySaved(page, ({ display }) => display === null);
  await viewer.press('Backspace');
  await expect.poll(viewer.readWindow).toBe(asItCame);
  await expect(viewer.panel.getByRole('button', { name: 'Invert' })).toHaveAttribute('aria-pressed', 'false');
  await expect(viewer.tool('Reset')).toHaveAttribute('aria-disabled', 'true');
  await reset;
  const again = displaySaved(page, ({ display }) => display !== null);
  await viewer.press('Control+z');
  await expect.poll(viewer.readWindow).toBe(asChanged);
  await again;
  const forGood = displaySaved(page, ({ display }) => display === null);
  await viewer.press('Control+Shift+z');
  await expect.poll(viewer.readWindow).toBe(asItCame);
  await forGood;

  await page.reload();
  await viewer.isReady();
  await viewer.isDrawn();
  await expect.poll(viewer.readWindow).toBe(asItCame);
  await expect(viewer.tool('Reset')).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => patient.differenceFrom(pixels), { timeout: 60_000 }).toBeLessThan(1);
});

interface Listed {
  readonly uid: string;
  readonly kind: string;
  readonly seriesModalityValue: string;
}

/** Opens an image of the full mount (MONOCHROME2) and an old bitewing (MONOCHROME1) of the same patient side by side. */
const openOldBesideNew = async (page: Page) => {
  const listing = replyTo<{ data: { series: { images: Listed[] }[] }[] }>(page, /\/study\/bypatient\//);
  await visitPatient(page, 'doctor', 'lindgård', 'Lindgård');
  const { data } = await listing;
  const inStudy = data.map(({ series }) =>
    series
      .flatMap(({ images }) => images)
      .filter(({ kind, seriesModalityValue }) => kind === 'image' && seriesModalityValue === 'IO'),
  );
  const withFour = inStudy.find((images) => images.length === 4)?.[0];
  const withMany = inStudy.find((images) => images.length > 10)?.[0];
  if (!withFour || !withMany) throw new Error('The demo clinic lacks these mounts');
  const patient = /\/patient\/[^/?]+/.exec(page.url())?.[0];
  await page.goto(`${patient}?compare=${withMany.uid},${withFour.uid}`);
  const viewer = viewerPage(page);
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  return { viewer, uids: [withMany.uid, withFour.uid] as const };
};

test('linked images change brightness together; followers are saved only on request', async ({ page }) => {
  test.slow();
  const { viewer, uids } = await openOldBesideNew(page);
  const patient = patientPage(page);
  const saved: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/display')) saved.push(request.postDataJSON().imageUid);
  });
  /** Returns the mean grey value of the middle of both images once they are stable. */
  const greyValues = async () => {
    await page.mouse.move(0, 0);
    const all = await patient.restingPixels();
    const box = await viewer.viewer.boundingBox();
    const width = Math.round(box?.width ?? 0);
    const height = all.length / width;
    return [0, 1].map((half) => {
      let [sum, count] = [0, 0];
      for (let y = Math.round(height * 0.3); y < height * 0.7; y += 1)
        for (let x = Math.round(width * (half / 2 + 0.1)); x < width * (half / 2 + 0.4); x += 1) {
          sum += all[y * width + x] ?? 0;
          count += 1;
        }
      return sum / count;
    });
  };
  const centres = async () =>
    (await viewer.viewer.getByTestId('overlay-window').allInnerTexts()).map((text) =>
      Number(/C\s+(\S+)/.exec(text)?.[1]?.replaceAll(/[^\d.-]/g, '')),
    );
  const brighten = () => viewer.dragFrom({ x: 0.25, y: 0.6 }, { x: 0.25, y: 0.45 });
  const [before, windows] = [await greyValues(), await centres()];
  const firstSaved = displaySaved(page, ({ imageUid }) => imageUid === uids[0]);
  await brighten();
  await expect(viewer.followed).toBeVisible();
  await expect(viewer.viewer.getByText('Not saved', { exact: true })).toHaveCount(1);
  await firstSaved;
  const after = await greyValues();
  for (const image of [0, 1]) expect(after[image]).toBeGreaterThan((before[image] ?? 0) + 5);
  // MONOCHROME1 inverts the direction of its window.
  const moved = (await centres()).map((centre, image) => Math.sign(centre - (windows[image] ?? 0)));
  expect(moved).toEqual([-1, 1]);
  expect(new Set(saved)).toEqual(new Set([uids[0]]));

  const undone = displaySaved(page, ({ display }) => display === null);
  await viewer.press('Control+z');
  await expect(viewer.followed).toBeHidden();
  await undone;
  const back = await greyValues();
  for (const image of [0, 1]) expect(Math.abs((back[image] ?? 0) - (before[image] ?? 0))).toBeLessThan(1);
  expect(new Set(saved)).toEqual(new Set([uids[0]]));

  const bothSaved = uids.map((uid) =>
    displaySaved(page, ({ imageUid, display }) => imageUid === uid && display !== null),
  );
  await viewer.press('Control+Shift+z');
  await viewer.saveFollowed.click();
  await expect(viewer.followed).toBeHidden();
  await Promise.all(bothSaved);
  await page.reload();
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  const savedValues = await greyValues();
  for (const image of [0, 1]) expect(Math.abs((savedValues[image] ?? 0) - (after[image] ?? 0))).toBeLessThan(1);

  // Changes of followers that were not saved are discarded.
  const again = displaySaved(page, ({ imageUid }) => imageUid === uids[0]);
  await brighten();
  await expect(viewer.followed).toBeVisible();
  await again;
  await page.reload();
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  const left = await greyValues();
  expect(left[0]).toBeGreaterThan((savedValues[0] ?? 0) + 5);
  expect(Math.abs((left[1] ?? 0) - (savedValues[1] ?? 0))).toBeLessThan(1);
});

for (const width of [320, 390, 1280, 3840])
  test(`the link button of a comparison is visible at ${width} px`, async ({ page }) => {
    const { viewer } = await openOldBesideNew(page);
    await page.setViewportSize({ width, height: 800 });
    await expect(viewer.tool('Link images')).toBeInViewport();
    await viewer.tool('Link images').click();
    await expect(viewer.tool('Link images')).toHaveAttribute('aria-pressed', 'false');
    await viewer.press('Shift+H');
    await expect(viewer.linkOnImages).toBeInViewport();
    await expect(viewer.linkOnImages).toHaveAttribute('aria-pressed', 'false');
    await viewer.linkOnImages.click();
    await viewer.press('Shift+H');
    await expect(viewer.tool('Link images')).toHaveAttribute('aria-pressed', 'true');
  });

/** Records every length shown on the page. */
const watchLengths = async (page: Page): Promise<string[]> => {
  const lengths: string[] = [];
  await page.exposeFunction('noteLength', (text: string) => lengths.push(text));
  await page.addInitScript(() => {
    new MutationObserver(() => {
      for (const text of document.body?.innerText.match(/[\d.]+ mm (at detector|calibrated)/g) ?? [])
        (window as unknown as { noteLength: (text: string) => void }).noteLength(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return lengths;
};

/** Opens an image with a line of 10 mm, delays its calibration on the way to the server, and reloads the page. */
const calibrateAndReload = async (page: Page, slot: number) => {
  const viewer = await openImage(page, slot);
  await viewer.press('l');
  const measured = viewer.saved('/image/marks');
  await viewer.dragFrom({ x: 0.42, y: 0.5 }, { x: 0.58, y: 0.5 });
  await expect(viewer.marks).toHaveText(/at detector/);
  await measured;
  const pending = new Promise<Route>((resolve) => {
    void page.route('**/resource/image/marks', (route) => resolve(route), { times: 1 });
  });
  // A request that outlives its page may reach the server although it is held back: this one ends with the page.
  await page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (input, init) =>
      send(input instanceof Request ? new Request(input, { keepalive: false }) : input, init);
  });
  await viewer.press('k');
  await viewer.dragFrom({ x: 0.42, y: 0.3 }, { x: 0.58, y: 0.3 });
  await viewer.calibrate('10');
  await expect(viewer.marks).toHaveText(/^10(\.\d)? mm .*calibrated/);
  const route = await pending;
  const lengths = await watchLengths(page);
  await page.reload();
  await viewer.isReady();
  await expect(viewer.marks).toHaveText(/^…/);
  await expect(viewer.scale('The calibration is not yet known')).toBeVisible();
  return { viewer, route, lengths };
};

test('a calibration still being sent at reload: lengths are hidden until it is confirmed', async ({ page }) => {
  test.slow();
  const { viewer, route, lengths } = await calibrateAndReload(page, 3);
  await route.fetch();
  await expect(viewer.marks).toHaveText(/^10(\.\d)? mm .*calibrated/, { timeout: 30_000 });
  await expect(viewer.scale('Calibrated manually: lengths in mm.')).toBeVisible();
  expect(lengths.filter((text) => text.includes('detector'))).toEqual([]);
});

test('a calibration that was lost: lengths are hidden until the user decides about it', async ({ page }) => {
  test.slow();
  const { viewer, lengths } = await calibrateAndReload(page, 4);
  const calibrated = viewer.savedCalibration();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(viewer.marks).toHaveText(/^10(\.\d)? mm .*calibrated/);
  await calibrated;
  expect(lengths.filter((text) => text.includes('detector'))).toEqual([]);
});
