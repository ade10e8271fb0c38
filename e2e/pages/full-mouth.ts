import { expect, type Page, test } from '@playwright/test';
import { header } from './header.ts';
import { mountPage } from './mount.ts';
import { signInAs } from './sign-in.ts';

export const fullMouthSlots = 18;
/** Opens a patient whose full mouth is to be mounted, and unmounts images left by an earlier test. */
export const openFullMouth = async (page: Page) => {
  test.slow();
  await signInAs(page, 'doctor');
  await header(page).type('dahlas');
  await expect(header(page).hits().first()).toContainText('Dahl');
  await header(page).press('ArrowDown');
  await header(page).press('Enter');
  const mount = mountPage(page);
  await expect(mount.slots).toBeVisible();
  for (let number = 1; number <= fullMouthSlots; number += 1) {
    if ((await mount.slot(number).getAttribute('data-empty')) !== null) continue;
    await mount.choose(number);
    await mount.press('u');
    await mount.isEmpty(number);
  }
  await expect(mount.trayImages).toHaveCount(fullMouthSlots);
  return mount;
};
