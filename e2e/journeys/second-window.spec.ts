import type { Page } from '@playwright/test';
import { greyStatisticsOf, greyValuesOf } from '../pages/grey-values.ts';
import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { expect, test } from '../test.ts';

const openPatient = async (page: Page, typed: string) => {
  await header(page).type(typed);
  await header(page).pickFirst();
};

/** Returns the spread of the grey values on screen; 0 for an empty window. */
const spreadOf = async (page: Page): Promise<number> =>
  greyStatisticsOf(await greyValuesOf(page, await page.screenshot())).spread;

test('the second window shows the image without identity, follows it, and is empty at another patient and closed after signing out', async ({
  page,
}) => {
  await signInAs(page, 'doctor');
  await openPatient(page, 'soderq');
  await patientPage(page).openFirstImage();
  const opening = page.waitForEvent('popup');
  await page.keyboard.press('Shift+W');
  const second = await opening;
  const canvas = second.locator('canvas');
  await expect(canvas).toBeVisible();
  await expect.poll(() => spreadOf(second)).toBeGreaterThan(20);
  expect(await second.locator('body').innerText()).toBe('');

  // It follows the window of grey values, and the keys of the viewer work in it.
  const before = await spreadOf(second);
  await second.bringToFront();
  await second.keyboard.press('i');
  await page.bringToFront();
  await expect(page.getByRole('button', { name: 'Invert', pressed: true }).first()).toBeAttached();
  await second.bringToFront();
  await expect.poll(async () => Math.abs((await spreadOf(second)) - before) < 25).toBe(true);
  await page.bringToFront();
  await page.keyboard.press('Shift+A');
  const { x, y, width, height } = (await page.getByRole('region', { name: 'Image viewer' }).boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  await page.mouse.move(x + width * 0.4, y + height * 0.4);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.6, { steps: 4 });
  await page.mouse.up();
  await second.bringToFront();
  await expect(second.locator('svg [data-mark]')).toHaveCount(1);

  // Another patient is not shown before it is asked for.
  await page.bringToFront();
  await openPatient(page, 'lindg');
  await expect(page.getByRole('heading', { level: 1, name: /Lindgård/ })).toBeVisible();
  await expect(canvas).toHaveCount(0, { timeout: 1_000 });
  await page.getByRole('region', { name: 'Image viewer' }).locator('canvas').waitFor();
  await expect(canvas).toHaveCount(0);
  await viewerPage(page).clickTool('Second window');
  await expect(canvas).toBeVisible();

  const closed = second.waitForEvent('close');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await closed;
});
