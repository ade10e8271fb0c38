import type { Browser, Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import type { people } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** A person at a workstation of their own. */
const workstation = async (browser: Browser, baseURL: string, who: keyof typeof people) => {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await visitPatient(page, who, 'forsgren', 'Forsgren');
  await expect(mountPage(page).board).toBeVisible();
  await viewerPage(page).isReady('mount');
  return page;
};

/** Which slot holds something, and how many images wait in the tray. */
const hung = async (page: Page) => {
  const mount = mountPage(page);
  const slots = await mount.board
    .getByRole('option')
    .evaluateAll((found) => found.map((slot) => slot.getAttribute('data-empty') === null));
  return { slots, tray: await mount.trayImages.count() };
};

const conflict = (page: Page) => page.getByText('Somebody else changed this mount; you see it as it is now');

test('two workstations on one mount: each sees what the other does, and of two at once one wins', async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const url = baseURL ?? '';
  const [one, other] = await Promise.all([workstation(browser, url, 'doctor'), workstation(browser, url, 'colleague')]);
  const [mine, theirs] = [mountPage(one), mountPage(other)];
  // Four in their slots, the retaken one in the tray.
  await expect(mine.filled).toHaveCount(4);
  await expect(theirs.trayImages).toHaveCount(1);

  // Taken down here: gone there, without a reload.
  await mine.choose(2);
  await mine.press('u');
  await theirs.isEmpty(2);
  await expect(theirs.trayImages).toHaveCount(2);

  // Hung there: seen here.
  await theirs.press('t');
  await expect(theirs.trayImages.first()).toBeFocused();
  await theirs.press('2');
  await mine.isFilled(2);
  await expect(mine.trayImages).toHaveCount(1);
  // Back to the slots: a number in the tray would hang the next one.
  await theirs.press('t');
  await expect(theirs.slot(2)).toBeFocused();

  // Turned here: drawn turned there.
  await Promise.all([mine.choose(3), theirs.choose(3)]);
  await expect(viewerPage(other).tool('Reset')).toBeDisabled();
  const before = await patientPage(one).restingPixels();
  const turned = viewerPage(one).kept('/viewset/image/display');
  await mine.press('r');
  await turned;
  await expect.poll(() => patientPage(one).differenceFrom(before)).toBeGreaterThan(1);
  await expect(viewerPage(other).tool('Reset')).toBeEnabled();
  await expect
    .poll(async () => patientPage(other).differenceFrom(await patientPage(one).restingPixels()), { timeout: 60_000 })
    .toBeLessThan(0.5);

  // Taken down here and there: two in the tray.
  await mine.choose(1);
  await mine.press('u');
  await Promise.all([mine.isEmpty(1), theirs.isEmpty(1)]);
  await expect(mine.trayImages).toHaveCount(2);
  await expect(theirs.trayImages).toHaveCount(2);

  // Both hang another image into the same slot at once. One of them is told.
  await Promise.all([mine.press('t'), theirs.press('t')]);
  await expect(mine.trayImages.first()).toBeFocused();
  await expect(theirs.trayImages.first()).toBeFocused();
  await theirs.press('ArrowRight');
  await expect(theirs.trayImages.nth(1)).toBeFocused();
  const answers = [one, other].map((page) =>
    page.waitForResponse(
      (reply) => reply.url().endsWith('/viewset/image/mount') && reply.request().method() === 'POST',
    ),
  );
  await Promise.all([mine.press('1'), theirs.press('1')]);
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status()));
  expect(statuses.toSorted()).toEqual([200, 409]);
  const [winner, loser] = statuses[0] === 200 ? [one, other] : [other, one];
  await expect(conflict(loser)).toBeVisible();
  await expect(conflict(winner)).toBeHidden();

  // Nothing is lost: four in slots and one in the tray, the same on both sides and after a reload.
  const whole = { slots: [true, true, true, true], tray: 1 };
  await expect.poll(() => hung(one)).toEqual(whole);
  await expect.poll(() => hung(other)).toEqual(whole);
  await expect(theirs.trayImages.locator('img')).toHaveCount(1, { timeout: 60_000 });
  const names = await mine.trayImages.first().getAttribute('aria-label');
  await expect(theirs.trayImages.first()).toHaveAttribute('aria-label', names ?? '');
  await Promise.all([one.reload(), other.reload()]);
  await expect.poll(() => hung(one)).toEqual(whole);
  await expect.poll(() => hung(other)).toEqual(whole);
  await one.context().close();
  await other.context().close();
});
