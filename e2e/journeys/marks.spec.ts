import type { Page } from '@playwright/test';
import { mountPage } from '../pages/mount.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 900 } });

const openImage = async (page: Page, user: 'doctor' | 'colleague') => {
  await visitPatient(page, user, 'hakansson', 'Håkansson');
  const [mount, viewer] = [mountPage(page), viewerPage(page)];
  await page.getByRole('link', { name: /^Mount Bitewing 4/ }).click();
  await expect(mount.filled).toHaveCount(4);
  await mount.choose(1);
  await viewer.isReady('mount');
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  return viewer;
};

test('marks of every kind are saved, another user sees who drew them, and one key hides them all', async ({
  page,
  browser,
}) => {
  test.slow();
  const viewer = await openImage(page, 'doctor');
  const saved = viewer.saved('/resource/image/marks');
  await viewer.press('Shift+A');
  await viewer.dragFrom({ x: 0.3, y: 0.3 }, { x: 0.36, y: 0.38 });
  await viewer.press('Shift+Q');
  await viewer.dragFrom({ x: 0.42, y: 0.3 }, { x: 0.5, y: 0.4 });
  await viewer.press('Shift+E');
  await viewer.dragFrom({ x: 0.55, y: 0.3 }, { x: 0.65, y: 0.42 });
  await viewer.press('Shift+P');
  await viewer.dragFrom({ x: 0.3, y: 0.5 }, { x: 0.4, y: 0.55 });
  await viewer.press('Shift+L');
  for (const x of [0.45, 0.5, 0.55]) await viewer.tapAt({ x, y: x });
  await viewer.press('Enter');
  await page.getByRole('button', { name: 'Marks', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Area' }).click();
  for (const [x, y] of [
    [0.6, 0.6],
    [0.68, 0.6],
    [0.64, 0.7],
  ] as const)
    await viewer.tapAt({ x, y });
  await viewer.press('Enter');
  await viewer.press('Shift+T');
  await viewer.tapAt({ x: 0.35, y: 0.68 });
  await viewer.textField.fill('Apex 36, check in May');
  await page.keyboard.press('Enter');
  await expect(viewer.marks).toHaveCount(7);
  await expect(viewer.drawnMarks).toHaveCount(7);
  await saved;
  await expect(viewer.marks.filter({ hasText: 'Maja Lindqvist' })).toHaveCount(7);

  await page.reload();
  await viewer.isReady();
  await expect(viewer.drawnMarks).toHaveCount(7);

  const context = await browser.newContext({ viewport: { width: 1760, height: 900 } });
  const other = await openImage(await context.newPage(), 'colleague');
  await expect(other.drawnMarks).toHaveCount(7);
  await expect(other.marks.filter({ hasText: 'Maja Lindqvist' })).toHaveCount(7);
  await other.pointAt({ x: 0.37, y: 0.685 });
  await expect(other.drawnMarks.filter({ hasText: /Apex 36.*Maja Lindqvist/ })).toHaveCount(1);
  await other.press('v');
  await expect(other.drawnMarks).toHaveCount(0);
  await expect(other.marksHidden).toBeVisible();
  await other.press('.');
  await other.isReady();
  await expect(other.marksHidden).toBeVisible();
  await other.press(',');
  await other.isReady();
  await other.press('v');
  await expect(other.drawnMarks).toHaveCount(7);
  await context.close();

  // The demo clinic serves other journeys too.
  const removed = page.waitForResponse((reply) => reply.url().endsWith('/image/marks') && reply.ok());
  const buttons = viewer.panel.getByRole('button', { name: /^Delete the m/ });
  for (let left = 7; left > 0; left -= 1) {
    await buttons.first().click();
    await expect(viewer.marks).toHaveCount(left - 1);
  }
  await removed;
});
