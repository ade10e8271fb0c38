import { accessible } from '../pages/accessible.ts';
import { blinkPage, blinkSpots } from '../pages/blink.ts';
import { gallery } from '../pages/gallery.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the lists of the day, an earlier image, and originals for a recipient', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  await signInAs(page, 'doctor');
  for (const [tab, title] of [
    ['Today', 'Images of today'],
    ['To do', 'Images that wait'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await check.isGood(title, { title });
    await check.fits(title);
  }

  await page.goto('/?q=forsgrn');
  await expect(page.getByRole('region', { name: 'Similar names' }).getByRole('link')).toHaveText(['Leif Forsgren']);
  await check.isGood('similar names', { title: /^Patients/ });
  await check.fits('similar names');
  const search = page.getByRole('combobox', { name: 'Search patients' });
  await search.fill('forsgrn');
  await expect(page.getByRole('option', { name: /Forsgren/ })).toBeVisible();
  await check.isGoodOver('similar names in the search box');
  await search.fill('');

  await findPatient(page, 'soderqvist', 'Söderqvist');
  const viewer = viewerPage(page);
  await page
    .getByRole('list', { name: 'Studies' })
    .getByRole('link', { name: /^Mount Bitewing 4 / })
    .first()
    .click();
  await viewer.isReady('mount');
  await mountPage(page).choose(1);
  await viewer.press('b');
  await viewer.isReady('compare');
  await viewer.isDrawn(2);
  await check.isGood('earlier image', { title: 'Patient' });
  await viewer.press('Shift+S');
  const blink = blinkPage(page);
  await blink.isReady();
  await check.isGoodOver('points in two images');
  await check.fits('points in two images');
  await blink.setPoints(blinkSpots);
  await expect(blink.both).toBeFocused();
  await check.isGoodOver('two images over each other');
  await check.fits('two images over each other');
  await viewer.press('Escape');
  await viewer.press('Escape');
  await viewer.isReady('mount');
  await viewer.press('Shift+C');
  await viewer.isReady('mounts');
  await check.isGood('earlier mount', { title: 'Patient' });
  await check.fits('earlier mount');

  const wall = gallery(page);
  await wall.open();
  await wall.images.first().focus();
  await page.keyboard.press('Space');
  await wall.button('For a recipient …').press('Enter');
  const dialog = page.getByRole('dialog', { name: '1 image for a recipient' });
  const recipient = dialog.getByRole('textbox', { name: /^Recipient/ });
  await expect(recipient).toBeFocused();
  await check.isGoodOver('recipient');
  await check.fits('recipient');
  await recipient.fill('Folktandvården');
  const download = page.waitForEvent('download');
  await recipient.press('Enter');
  await download;
  await expect(dialog.getByRole('textbox', { name: /^Password of images-/ })).toBeFocused();
  await check.isGoodOver('password for the recipient');
  await check.fits('password for the recipient');
});
