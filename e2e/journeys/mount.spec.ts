import type { Page } from '@playwright/test';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const slots = 18;
const numbers = Array.from({ length: slots }, (_, index) => index + 1);

/** Opens a patient whose full mouth is to be mounted, and unmounts images left by an earlier test. */
const openFullMouth = async (page: Page) => {
  test.slow();
  await signInAs(page, 'doctor');
  await header(page).type('dahlas');
  await expect(header(page).hits().first()).toContainText('Dahl');
  await header(page).press('ArrowDown');
  await header(page).press('Enter');
  const mount = mountPage(page);
  await expect(mount.slots).toBeVisible();
  for (const number of numbers) {
    if ((await mount.slot(number).getAttribute('data-empty')) !== null) continue;
    await mount.choose(number);
    await mount.press('u');
    await mount.isEmpty(number);
  }
  await expect(mount.trayImages).toHaveCount(slots);
  return mount;
};

/** Reloads the page and expects the mount as it was. */
const isAsLeft = async (page: Page) => {
  await expect(mountPage(page).filled).toHaveCount(slots);
  const looked = await patientPage(page).restingPixels();
  await page.reload();
  await expect(mountPage(page).filled).toHaveCount(slots);
  await expect.poll(async () => patientPage(page).differenceFrom(looked), { timeout: 60_000 }).toBeLessThan(1);
};

test('keyboard only: mount a full mouth, brighten one image, rotate another; all is saved', { tag: '@quick' }, async ({
  page,
}) => {
  const mount = await openFullMouth(page);
  await mount.press('t');
  await expect(mount.trayImages.first()).toBeFocused();
  // The first by its number, the others into the next free slot.
  for (const digit of '18') await mount.press(digit);
  await mount.isFilled(18);
  for (let left = slots - 1; left > 0; left -= 1) {
    await expect(mount.trayImages).toHaveCount(left);
    await mount.press('Enter');
  }
  await expect(mount.filled).toHaveCount(slots);

  await mount.choose(1);
  const brightened = mount.saved('/viewset/image/display');
  for (let step = 0; step < 8; step += 1) await mount.press('Shift+ArrowUp');
  await brightened;
  await mount.press('ArrowDown');
  await expect(mount.slot(9)).toHaveAttribute('aria-selected', 'true');
  const turned = mount.saved('/viewset/image/display');
  await mount.press('r');
  await turned;

  await mount.press('Enter');
  await expect(page).toHaveURL(/image=/);
  await mount.press('Escape');
  await expect(mount.filled).toHaveCount(slots);
  await mount.choose(1);
  await isAsLeft(page);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 1440, height: 900 } });

  test('mount a full mouth, brighten one image, rotate another; all is saved', async ({ page }) => {
    const mount = await openFullMouth(page);
    for (const number of numbers) {
      await mount.dragFromTray(number);
      await mount.isFilled(number);
    }
    await mount.dragToTray(7);
    await mount.isEmpty(7);
    await mount.dragFromTray(7);
    await expect(mount.filled).toHaveCount(slots);

    await mount.tap(2);
    await expect(mount.slot(2)).toHaveAttribute('aria-selected', 'true');
    const turned = mount.saved('/viewset/image/display');
    await patientPage(page).tapTool('Turn right');
    await turned;

    await mount.doubleTap(1);
    await expect(page).toHaveURL(/image=/);
    const brightened = mount.saved('/viewset/image/display');
    await mount.swipe({ x: 0, y: -120 });
    await brightened;
    await patientPage(page).tool('Back').tap();
    await mount.tap(1);
    await isAsLeft(page);
  });
});
