import { demoPatient, imageOf } from '../import-sets.ts';
import { fullMouthSlots, openFullMouth } from '../pages/full-mouth.ts';
import { header } from '../pages/header.ts';
import { importTray } from '../pages/import-tray.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('files dropped on a patient are placed in the mount that fits with one more click; undo takes them out, a key places them again', async ({
  page,
}) => {
  await signInAs(page, 'doctor');
  await header(page).type('lundm');
  await header(page).pickFirst();
  const patient = demoPatient('Lundmark');
  const tray = importTray(page);
  await tray.drop(
    [0, 1, 2, 3].map((index) => ({ name: `${index}.dcm`, bytes: imageOf(patient, 'Placed by itself', index, 64) })),
  );
  await tray.isDone();
  await page.getByRole('button', { name: 'Place in “Bitewing 4”' }).click();
  const mount = mountPage(page);
  await expect(mount.slots).toBeVisible();
  for (const number of [1, 2, 3, 4]) await mount.isFilled(number);
  await expect(page.getByRole('link', { name: /^Mount Bitewing 4 4\/4$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Place in/ })).toHaveCount(0);

  for (const number of [1, 2, 3]) {
    await mount.choose(number);
    await mount.press('u');
    await mount.isEmpty(number);
  }
  await mount.press('Shift+M');
  for (const number of [1, 2, 3]) await mount.isFilled(number);
  await mount.press('Control+z');
  for (const number of [1, 2, 3]) await mount.isEmpty(number);
  // Replies of the steps before may come late, the last of them to the removals that Ctrl+Z makes.
  let saved = 0;
  page.on('response', (reply) => {
    if (reply.url().includes('/viewset/image/unmount')) saved = 0;
    else if (reply.url().includes('/viewset/image/mount') && reply.ok()) saved += 1;
  });
  await page.getByRole('button', { name: 'Place images automatically' }).click();
  for (const number of [1, 2, 3]) await mount.isFilled(number);
  await expect(page.getByRole('link', { name: /^Mount Bitewing 4 4\/4$/ })).toBeVisible();
  await expect.poll(() => saved).toBe(3);
  await page.reload();
  for (const number of [1, 2, 3, 4]) await mount.isFilled(number);

  const topOf = async (number: number) => (await mount.slot(number).boundingBox())?.y ?? 0;
  await page.getByRole('button', { name: 'Bitewings in two rows' }).click();
  await expect.poll(async () => (await topOf(2)) - (await topOf(1))).toBeGreaterThan(100);
  expect(await topOf(3)).toBe(await topOf(1));
  expect(await topOf(4)).toBe(await topOf(2));
});

test('a full mouth that waits for mounting is placed by its teeth', async ({ page }) => {
  const mount = await openFullMouth(page);
  await mount.press('Shift+M');
  await expect(mount.filled).toHaveCount(fullMouthSlots);
  await expect(page.getByText('18 images placed.')).toBeAttached();
  await expect(page.getByRole('link', { name: /^Mount FMX 18 .* 18\/18$/ })).toBeVisible();
});
