import { blinkPage, blinkSpots } from '../pages/blink.ts';
import { mountPage } from '../pages/mount.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 900 } });

test('an image and an earlier one are laid over each other by four points, by key and by button', async ({ page }) => {
  await visitPatient(page, 'doctor', 'soderqvist', 'Söderqvist');
  await page
    .getByRole('link', { name: /^Mount Bitewing 4 / })
    .first()
    .click();
  const [viewer, blink] = [viewerPage(page), blinkPage(page)];
  await viewer.isReady('mount');
  await viewer.press('Shift+S');
  await expect(blink.dialog).toBeHidden();
  await mountPage(page).choose(1);
  await viewer.press('b');
  await viewer.isReady('compare');
  await viewer.isDrawn(2);

  await viewer.press('Shift+S');
  await blink.isReady();
  await blink.setPoints(blinkSpots);
  await expect(
    blink.dialog.getByText(/^The points agree to within \d+(\.\d)? pixels of the right image\./),
  ).toBeVisible();
  await expect(blink.both).toBeFocused();
  await expect(blink.shown).toHaveAttribute('data-shown', 'left');
  await expect(blink.shown).toHaveAttribute('data-shown', 'right');
  await blink.dialog.getByText('Left', { exact: true }).click();
  await expect(blink.shown).toHaveAttribute('data-shown', 'left');
  await blink.both.press(' ');
  await expect(blink.shown).toHaveAttribute('data-shown', 'right');
  await page.keyboard.press('Escape');
  await expect(blink.dialog).toBeHidden();

  await viewer.clickTool('Lay over each other and blink');
  await blink.isReady();
});
