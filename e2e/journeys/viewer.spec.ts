import type { Locator, Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import { type demoUsers, signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

// All tools fit in the toolbar; none is in its overflow menu.
test.use({ viewport: { width: 1760, height: 700 } });

/** Opens the mount of four bitewings and waits until it is drawn. */
const openMount = async (page: Page) => {
  await visitPatient(page, 'doctor', 'hakansson', 'Håkansson');
  const [mount, viewer] = [mountPage(page), viewerPage(page)];
  await page.getByRole('link', { name: /^Mount Bitewing 4/ }).click();
  await expect(mount.filled).toHaveCount(4);
  await mount.choose(1);
  await viewer.isReady('mount');
  await viewer.isDrawn();
  return { mount, viewer };
};

test('keyboard: open, brighten, rotate, filter, measure, calibrate, undo; all is restored on return', {
  tag: '@quick',
}, async ({ page, browser, baseURL, viewport }) => {
  test.slow();
  const { mount, viewer } = await openMount(page);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  const asItCame = await viewer.readWindow();
  expect(asItCame).not.toBe('');

  await viewer.press('w');
  await expect(viewer.tool('Window: brightness and contrast')).toHaveAttribute('aria-pressed', 'true');
  for (let step = 0; step < 5; step += 1) await viewer.press('Shift+ArrowUp');
  await expect.poll(viewer.readWindow).not.toBe(asItCame);
  await viewer.press('r');
  await viewer.press('f');
  await expect(viewer.tool('Mirror')).toHaveAttribute('aria-pressed', 'true');
  await viewer.press('n');
  await expect(viewer.choice('Off')).not.toBeChecked();

  // Undo and redo.
  await viewer.press('Control+z');
  await expect(viewer.choice('Off')).toBeChecked();
  const filtered = viewer.saved('/viewset/image/display');
  await viewer.press('Control+Shift+z');
  await expect(viewer.choice('Off')).not.toBeChecked();
  await filtered;
  const brightened = await viewer.readWindow();

  // A sensor image states its pixel size at the detector.
  await viewer.press('l');
  await viewer.dragFrom({ x: 0.42, y: 0.5 }, { x: 0.58, y: 0.5 });
  await expect(viewer.marks).toHaveCount(1);
  await expect(viewer.marks).toHaveText(/^[\d.,]+ mm .*at detector/);
  await viewer.press('k');
  await viewer.dragFrom({ x: 0.42, y: 0.3 }, { x: 0.58, y: 0.3 });
  const calibrated = viewer.savedCalibration();
  await viewer.calibrate('10');
  await expect(viewer.marks).toHaveText(/^10(\.\d)? mm .*calibrated/);
  await calibrated;
  await expect(viewer.scale('Calibrated manually: lengths in mm.')).toBeVisible();
  // The second line is the author, once it is saved.
  const valueAt = async (marks: Locator) => (await marks.innerText()).split('\n')[0];
  const measured = await valueAt(viewer.marks);

  const isAsLeft = async (other: Page) => {
    const there = viewerPage(other);
    await there.isReady();
    await there.isDrawn();
    await expect(there.quality).not.toContainText('Filtering');
    await expect.poll(there.readWindow).toBe(brightened);
    await expect(there.choice('Off')).not.toBeChecked();
    await expect(there.tool('Mirror')).toHaveAttribute('aria-pressed', 'true');
    await expect(there.marks).toHaveCount(1);
    await expect.poll(() => valueAt(there.marks)).toBe(measured);
  };
  await viewer.press('w');
  await page.mouse.move(0, 0);
  await page.reload();
  await isAsLeft(page);
  const looked = await patientPage(page).restingPixels();

  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', viewport });
  const other = await elsewhere.newPage();
  await signInAs(other, 'colleague');
  await other.goto(page.url());
  await isAsLeft(other);
  await other.mouse.move(0, 0);
  await expect.poll(() => patientPage(other).differenceFrom(looked), { timeout: 60_000 }).toBeLessThan(1);
  await elsewhere.close();
});

test('two images side by side, linked and unlinked; back returns to the previous view', async ({ page }) => {
  // Wide enough for all tools with any date in the title.
  await page.setViewportSize({ width: 2000, height: 800 });
  const { mount, viewer } = await openMount(page);
  await mount.choose(2);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.press('c');
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  await expect(viewer.tool('Link images')).toHaveAttribute('aria-pressed', 'true');
  const zooms = () => viewer.zoom.allInnerTexts();
  const before = await zooms();
  await viewer.press('+');
  await expect.poll(async () => (await zooms()).every((zoom, index) => zoom !== before[index])).toBe(true);

  await viewer.tool('Link images').click();
  await viewer.pointAt({ x: 0.25, y: 0.5 });
  const linked = await zooms();
  await viewer.press('+');
  await expect.poll(async () => (await zooms()).filter((zoom, index) => zoom !== linked[index]).length).toBe(1);
  await viewer.press('Escape');
  await viewer.isReady('mount');
});

const openSlices = async (page: Page, who: keyof typeof demoUsers) => {
  await visitPatient(page, who, 'molgaard', 'Mølgaard');
  const viewer = viewerPage(page);
  const series = page
    .getByRole('list', { name: 'Studies' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2, name: /CT underkäke/ }) });
  await series
    .getByRole('link', { name: /^Open / })
    .first()
    .click();
  await viewer.isReady();
  await viewer.isDrawn();
  return viewer;
};

test.describe('slices', () => {
  test.use({ viewport: { width: 1280, height: 720 } });

  test('CT slices by keyboard, each with its own values', async ({ page }) => {
    const viewer = await openSlices(page, 'doctorElsewhere');
    const first = page.url();
    const looked = await patientPage(page).restingPixels();
    for (let step = 1; step < 4; step += 1) {
      const before = page.url();
      await viewer.press('.');
      await expect(page).not.toHaveURL(before);
      await viewer.isReady();
    }
    await viewer.isDrawn();
    await viewer.pointAt({ x: 0.5, y: 0.5 });
    await expect(viewer.value).toContainText('HU');
    await page.mouse.move(0, 0);
    await expect.poll(() => patientPage(page).differenceFrom(looked)).toBeGreaterThan(0.2);
    for (let step = 1; step < 4; step += 1) {
      const before = page.url();
      await viewer.press(',');
      await expect(page).not.toHaveURL(before);
      await viewer.isReady();
    }
    await expect(page).toHaveURL(first);
    await expect.poll(() => patientPage(page).differenceFrom(looked)).toBeLessThan(1);
  });
});

test('images only, full screen, and the dialog of all shortcuts', async ({ page }) => {
  const viewer = await openSlices(page, 'doctorElsewhere');
  await viewer.press('Shift+H');
  await expect(viewer.tool('Zoom')).toBeHidden();
  await expect(viewer.panel).toBeHidden();
  await expect(viewer.viewer).toBeVisible();
  await viewer.press('Escape');
  await expect(viewer.tool('Zoom')).toBeVisible();

  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await viewer.press('y');
  await expect.poll(isFull).toBe(true);
  await viewer.press('y');
  await expect.poll(isFull).toBe(false);

  await viewer.press('?');
  await expect(viewer.shortcuts).toBeVisible();
  await expect(viewer.shortcuts.getByText('Noise filter')).toBeVisible();
  // An open dialog takes the keys.
  await viewer.press('n');
  await viewer.press('Escape');
  await expect(viewer.shortcuts).toBeHidden();
  await expect(viewer.choice('Off')).toBeChecked();
});
