import type { Page } from '@playwright/test';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const mountRow = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^Mount ${name}`) });

/** Opens a mount of a patient who has a full mouth and older bitewings. */
const openMount = async (page: Page, name: string) => {
  await signInAs(page, 'doctor');
  await header(page).type('lindgård');
  await expect(header(page).hits().first()).toContainText('Lindgård');
  await header(page).press('ArrowDown');
  await header(page).press('Enter');
  await expect(mountPage(page).slots).toBeVisible();
  await goTo(page, name);
  return mountPage(page);
};
const goTo = async (page: Page, name: string) => {
  await mountRow(page, name).click();
  await expect(page.getByRole('listbox', { name: new RegExp(`^Slots of ${name}`) })).toBeVisible();
};
const bitewings = 'Bitewing 4';
const fullMouth = 'FMX 18';

test('cut in one mount, paste into another: the image moves with its place in both after a reload', async ({
  page,
}) => {
  const mount = await openMount(page, bitewings);
  await mount.choose(2);
  await mount.press('Control+x');
  await expect(page.getByText(/^Cut: 15 14 45 44, from Bitewing 4/)).toBeVisible();
  await goTo(page, fullMouth);
  await mount.choose(1);
  await mount.press('u');
  await mount.isEmpty(1);
  const moved = mount.saved('/viewset/image/move');
  await mount.press('Control+v');
  await moved;
  await mount.isFilled(1);
  await expect(page.getByText(/^Cut:/)).toBeHidden();
  await page.reload();
  await mount.isFilled(1);
  await goTo(page, bitewings);
  await mount.isEmpty(2);

  // Back by the button.
  await goTo(page, fullMouth);
  await mount.choose(1);
  await mount.press('Control+x');
  await goTo(page, bitewings);
  await mount.choose(2);
  const movedBack = mount.saved('/viewset/image/move');
  await page.getByRole('button', { name: 'Paste into slot 2' }).click();
  await movedBack;
  await mount.isFilled(2);
});

test('a thumbnail of the list is dragged into a slot', async ({ page }) => {
  const mount = await openMount(page, bitewings);
  await mount.choose(3);
  await mount.press('u');
  await mount.isEmpty(3);
  await mount.press('Control+z');
  await mount.isFilled(3);
  await page.getByRole('toolbar', { name: 'Image tools' }).getByRole('button', { name: 'Redo' }).click();
  await mount.isEmpty(3);
  const mounted = mount.saved('/viewset/image/mount');
  await page.locator('a[aria-label^="Open "]').first().dragTo(mount.slot(3), { force: true });
  await mounted;
  await mount.isFilled(3);
  await expect(page).not.toHaveURL(/image=/);

  // Undone completely: journeys of a worker share the patient.
  await mount.press('Control+z');
  await mount.isEmpty(3);
  const restored = mount.saved('/viewset/image/mount');
  await mount.press('Control+z');
  await restored;
  await mount.isFilled(3);
});

test('an image of a slot is dropped on another mount of the list, which opens and takes it', async ({ page }) => {
  const mount = await openMount(page, fullMouth);
  await mount.choose(2);
  await mount.press('u');
  await mount.isEmpty(2);
  await goTo(page, bitewings);
  const moved = mount.saved('/viewset/image/move');
  await mount.dragSlotToMount(2, mountRow(page, fullMouth).first());
  await moved;
  await expect(page.getByRole('listbox', { name: /^Slots of FMX 18/ })).toBeVisible();
  await mount.isFilled(2);
  await expect(mount.slot(2)).toHaveAttribute('aria-selected', 'true');

  // Back, and the image of before from the tray: journeys of a worker share the patient.
  await mount.press('Control+x');
  await goTo(page, bitewings);
  await mount.isEmpty(2);
  await mount.choose(2);
  await mount.press('Control+v');
  await mount.isFilled(2);
  await goTo(page, fullMouth);
  const restored = mount.saved('/viewset/image/mount');
  await mount.choose(2);
  await mount.press('t');
  await mount.press('Enter');
  await restored;
  await mount.isFilled(2);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 1440, height: 900 } });

  test('a thumbnail of the list is dragged into a slot after a long press', async ({ page }) => {
    const mount = await openMount(page, bitewings);
    await mount.choose(4);
    await mount.press('u');
    await mount.isEmpty(4);
    const mounted = mount.saved('/viewset/image/mount');
    await mount.dragFromList(page.locator('a[aria-label^="Open "]').nth(1), 4);
    await mounted;
    await mount.isFilled(4);
    await expect(page).not.toHaveURL(/image=/);

    // Undone completely: journeys of a worker share the patient.
    await mount.press('Control+z');
    await mount.isEmpty(4);
    const restored = mount.saved('/viewset/image/mount');
    await mount.press('Control+z');
    await restored;
    await mount.isFilled(4);
  });
});
