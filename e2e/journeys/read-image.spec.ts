import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('finding a patient, opening a mount and viewing an image', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await signInAs(page, 'doctor');

  const search = header(page);
  await search.type('a');
  await expect(search.hits()).toHaveCount(0);
  await search.type('and');
  await expect(search.hits().first()).toBeVisible();
  expect(await search.hits().count()).toBeLessThanOrEqual(8);
  await search.press('ArrowDown');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/patient\//);

  const patient = patientPage(page);
  await expect(patient.thumbnails().first()).toBeVisible();
  await patient.openFirstImage();

  const before = await patient.windowText();
  const looked = await patient.greyStatistics();
  expect(looked.spread).toBeGreaterThan(15);

  await patient.drag(120, 60);
  await expect.poll(patient.windowText).not.toEqual(before);
  expect((await patient.greyStatistics()).mean).not.toBeCloseTo(looked.mean, 0);

  await patient.tool('Reset').click();
  await expect.poll(patient.windowText).toEqual(before);

  await patient.tool('Actual pixels, 1:1').click();
  await expect(patient.viewer).toContainText('1:1');
  await patient.tool('Fit to the window').click();
  await expect.poll(patient.zoomText).toBeGreaterThan(0);
  const fitted = await patient.zoomText();
  await patient.viewer.hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(patient.zoomText).toBeGreaterThan(fitted);
  expect(errors).toEqual([]);
});

test('a deep link opens the linked image', async ({ page, context }) => {
  await signInAs(page, 'doctor');
  await header(page).type('and');
  await header(page).pickFirst();
  await patientPage(page).openFirstImage();
  const link = page.url();
  const before = await patientPage(page).windowText();
  const other = await context.newPage();
  await other.goto(link);
  await expect(patientPage(other).viewer).toHaveAttribute('aria-busy', 'false');
  await expect.poll(patientPage(other).windowText).toEqual(before);
});
