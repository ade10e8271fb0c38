import type { Browser, Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { patientPage } from '../pages/patient.ts';
import type { demoUsers } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** Opens the mount as one user at a separate workstation. */
const workstation = async (browser: Browser, baseURL: string, who: keyof typeof demoUsers) => {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await visitPatient(page, who, 'forsgren', 'Forsgren');
  await expect(mountPage(page).slots).toBeVisible();
  await viewerPage(page).isReady('mount');
  return page;
};

/** Returns which slots are filled, and how many images are in the tray. */
const mounted = async (page: Page) => {
  const mount = mountPage(page);
  const slots = await mount.slots
    .getByRole('option')
    .evaluateAll((found) => found.map((slot) => slot.getAttribute('data-empty') === null));
  return { slots, tray: await mount.trayImages.count() };
};

const conflict = (page: Page) => page.getByText('Another user changed this mount. The current version is shown');

test('two workstations edit one mount: each sees the other’s changes, and of two conflicting changes one wins', async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const url = baseURL ?? '';
  const [one, other] = await Promise.all([workstation(browser, url, 'doctor'), workstation(browser, url, 'colleague')]);
  const [mine, theirs] = [mountPage(one), mountPage(other)];
  // Four in slots, the retake in the tray.
  await expect(mine.filled).toHaveCount(4);
  await expect(theirs.trayImages).toHaveCount(1);

  // Unmounted here: removed there without a reload.
  await mine.choose(2);
  await mine.press('u');
  await theirs.isEmpty(2);
  await expect(theirs.trayImages).toHaveCount(2);

  // Mounted there: shown here.
  await theirs.press('t');
  await expect(theirs.trayImages.first()).toBeFocused();
  await theirs.press('2');
  await mine.isFilled(2);
  await expect(mine.trayImages).toHaveCount(1);
  // Focus returns to the slots: in the tray a number key would mount the next image.
  await theirs.press('t');
  await expect(theirs.slot(2)).toBeFocused();

  // Rotated here: rotated there.
  await Promise.all([mine.choose(3), theirs.choose(3)]);
  await expect(viewerPage(other).tool('Reset')).toBeDisabled();
  const before = await patientPage(one).restingPixels();
  const turned = viewerPage(one).saved('/viewset/image/display');
  await mine.press('r');
  await turned;
  await expect.poll(() => patientPage(one).differenceFrom(before)).toBeGreaterThan(1);
  await expect(viewerPage(other).tool('Reset')).toBeEnabled();
  await expect
    .poll(async () => patientPage(other).differenceFrom(await patientPage(one).restingPixels()), { timeout: 60_000 })
    .toBeLessThan(0.5);

  // One unmounted on each side: two in the tray.
  await mine.choose(1);
  await mine.press('u');
  await Promise.all([mine.isEmpty(1), theirs.isEmpty(1)]);
  await expect(mine.trayImages).toHaveCount(2);
  await expect(theirs.trayImages).toHaveCount(2);

  // Both mount another image into the same slot at once; one gets a conflict.
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

  // No image is lost: four in slots and one in the tray, on both sides and after a reload.
  const whole = { slots: [true, true, true, true], tray: 1 };
  await expect.poll(() => mounted(one)).toEqual(whole);
  await expect.poll(() => mounted(other)).toEqual(whole);
  await expect(theirs.trayImages.locator('img')).toHaveCount(1, { timeout: 60_000 });
  const names = await mine.trayImages.first().getAttribute('aria-label');
  await expect(theirs.trayImages.first()).toHaveAttribute('aria-label', names ?? '');
  await Promise.all([one.reload(), other.reload()]);
  await expect.poll(() => mounted(one)).toEqual(whole);
  await expect.poll(() => mounted(other)).toEqual(whole);
  await one.context().close();
  await other.context().close();
});
