import type { Page } from '@playwright/test';
import { openFullMouth, fullMouthSlots as slots } from '../pages/full-mouth.ts';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import { expect, test } from '../test.ts';

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
  await mount.isDrawn();
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
    for (let number = 1; number <= slots; number += 1) {
      await mount.dragFromTray(number);
      await mount.isFilled(number);
    }
    await mount.dragToTray(7);
    await mount.isEmpty(7);
    await mount.dragFromTray(7);
    await expect(mount.filled).toHaveCount(slots);

    await mount.tap(2);
    await expect(mount.slot(2)).toHaveAttribute('aria-selected', 'true');
    await mount.isDrawn();
    const turned = mount.saved('/viewset/image/display');
    await patientPage(page).tapTool('Turn right');
    await turned;

    await mount.doubleTap(1);
    await expect(page).toHaveURL(/image=/);
    await mount.isDrawn();
    const brightened = mount.saved('/viewset/image/display');
    await mount.swipe({ x: 0, y: -120 });
    await brightened;
    // On a busy machine a touch can last so long that it is no tap.
    await expect(async () => {
      await patientPage(page).tool('Back').tap({ timeout: 2_000 });
      await expect(page).not.toHaveURL(/image=/);
    }).toPass({ timeout: 60_000 });
    await mount.tap(1);
    await isAsLeft(page);
  });
});
