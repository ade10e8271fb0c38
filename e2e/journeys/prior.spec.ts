import type { Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 800 } });

const openBitewings = async (page: Page) => {
  await visitPatient(page, 'doctor', 'soderqvist', 'Söderqvist');
  const studies = page.getByRole('list', { name: 'Studies' });
  await studies
    .getByRole('link', { name: /^Mount Bitewing 4 / })
    .first()
    .click();
  const viewer = viewerPage(page);
  await viewer.isReady('mount');
  return { viewer, mount: mountPage(page), studies };
};

test('an earlier image beside the current one, further back and forth, swapped, and back', async ({ page }) => {
  const { viewer, mount, studies } = await openBitewings(page);
  await mount.choose(1);
  const before = page.url();
  const bar = page.getByRole('group', { name: 'Comparison with an earlier image' });
  const current = viewer.viewer.getByText('current image', { exact: true });
  const earlier = viewer.viewer.getByText(/ earlier$/);
  const isShown = async () => {
    await viewer.isReady('compare');
    await viewer.isDrawn(2);
    const shown = new URL(page.url()).searchParams.get('prior')?.split(',') ?? [];
    // Both are images of this patient.
    for (const uid of shown) await expect(studies.locator(`a[href$="image=${uid}"]`)).toHaveCount(1);
    return shown;
  };
  const leftToRight = async () => {
    const [one, other] = await Promise.all([earlier.boundingBox(), current.boundingBox()]);
    return (one?.x ?? 0) < (other?.x ?? 0);
  };

  await viewer.press('b');
  const [first, shown] = await isShown();
  await expect(bar).toContainText('Same slot: Bitewing molar höger, 17 16 47 46');
  await expect(earlier).toHaveText(/^2 y( 1 m)? earlier$/);
  expect(await leftToRight()).toBe(true);

  const zooms = () => viewer.zoom.allInnerTexts();
  const windows = () => viewer.viewer.getByText(/^C\s+\S+\s+W\s+\S+$/).allInnerTexts();
  const [zoomsBefore, windowsBefore] = [await zooms(), await windows()];
  await viewer.press('+');
  await expect.poll(async () => (await zooms()).every((zoom, index) => zoom !== zoomsBefore[index])).toBe(true);
  await viewer.press('Shift+ArrowUp');
  await expect.poll(async () => (await windows())[1]).not.toBe(windowsBefore[1]);
  expect((await windows())[0]).toBe(windowsBefore[0]);
  await expect(viewer.followed).toBeHidden();
  await viewer.press('Control+z');
  await viewer.press('Control+z');

  // The images of these visits are of one size, so equal zooms are equal percentages.
  expect(new Set(zoomsBefore).size).toBe(1);
  await viewer.press('+');
  await expect.poll(async () => (await zooms()).every((zoom, index) => zoom !== zoomsBefore[index])).toBe(true);
  const zoomed = await zooms();
  await viewer.press('b');
  await expect(bar).toContainText('2 shared teeth: 16 46');
  const [second, same] = await isShown();
  await expect.poll(zooms).toEqual(zoomed);
  expect([second === first, same]).toEqual([false, shown]);
  await viewer.press('b');
  await expect(page.getByText(/^No image before \d{4}-\d\d-\d\d shows these teeth\.$/)).toBeVisible();
  await viewer.press('Shift+B');
  await expect(bar).toContainText('Same slot');

  await viewer.press('s');
  await expect.poll(leftToRight).toBe(false);
  await page.reload();
  await isShown();
  expect(await leftToRight()).toBe(false);
  await viewer.press('s');
  await expect.poll(leftToRight).toBe(true);

  await viewer.press('Escape');
  await viewer.isReady('mount');
  await expect(page).toHaveURL(before);

  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  const alone = page.url();
  await page
    .getByRole('toolbar', { name: 'Image tools' })
    .getByRole('button', { name: 'Compare with earlier image' })
    .click();
  expect(await isShown()).toEqual([first, shown]);
  await bar.getByRole('button', { name: 'Earlier image' }).click();
  await expect(bar).toContainText('2 shared teeth');
  await bar.getByRole('button', { name: 'Later image' }).click();
  await expect(bar).toContainText('Same slot');
  await viewer.press('c');
  await viewer.isReady();
  await expect(page).toHaveURL(alone);
});

test('a mount beside an earlier one by keyboard: slot by slot, a pair, the next slot, and back', async ({ page }) => {
  const { viewer, mount } = await openBitewings(page);
  await mount.choose(1);
  const before = page.url();
  await viewer.press('Shift+C');
  await viewer.isReady('mounts');
  const bar = page.getByRole('group', { name: 'Comparison with an earlier mount' });
  await expect(bar).toContainText('Same template: 4 images in both mounts');
  const current = page.getByRole('listbox', { name: /, current mount$/ });
  const earlier = page.getByRole('listbox', { name: /, 2 y( 1 m)? earlier$/ });
  const selected = async (slot: number) => {
    for (const one of [earlier, current])
      await expect(one.getByRole('option', { name: new RegExp(`^Slot ${slot},`), selected: true })).toHaveCount(1);
  };
  await selected(1);
  await expect(current.getByRole('option', { name: /^Slot 1,/ })).toBeFocused();
  await viewer.press('ArrowRight');
  await selected(2);
  expect((await earlier.boundingBox())?.y).toBeLessThan((await current.boundingBox())?.y ?? 0);
  await viewer.press('s');
  await expect
    .poll(async () => ((await earlier.boundingBox())?.y ?? 0) > ((await current.boundingBox())?.y ?? 0))
    .toBe(true);
  await viewer.press('s');

  await viewer.press('Enter');
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  const pair = page.getByRole('group', { name: 'Comparison with an earlier image' });
  await expect(pair).toContainText('Same slot: Bitewing premolar höger, 15 14 45 44');
  await viewer.press('.');
  await expect(pair).not.toContainText('15 14 45 44');
  await expect(pair).toContainText('Same slot: Bitewing');
  await viewer.press('Escape');
  await viewer.isReady('mounts');
  await expect(current.getByRole('option', { selected: true })).not.toHaveAccessibleName(/^Slot 2,/);
  await page.reload();
  await viewer.isReady('mounts');
  await viewer.press('Escape');
  await viewer.isReady('mount');
  await expect(page).toHaveURL(before);
});

test('an image without an earlier one says so and stays', async ({ page }) => {
  const { viewer, studies } = await openBitewings(page);
  await studies
    .getByRole('link', { name: /^Mount Bitewing 2 / })
    .first()
    .click();
  await viewer.isReady('mount');
  const mount = mountPage(page);
  await mount.choose(1);
  const before = page.url();
  await viewer.press('b');
  await expect(page.getByText('No earlier image shows these teeth.')).toBeVisible();
  await expect(page).toHaveURL(before);
});
