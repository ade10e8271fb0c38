import { accessible } from '../pages/accessible.ts';
import { blinkPage, blinkSpots } from '../pages/blink.ts';
import { dialogs } from '../pages/dialogs.ts';
import { gallery } from '../pages/gallery.ts';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { printPage } from '../pages/print.ts';
import { signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient, visitPatient } from '../pages/visit.ts';
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

test('printing, saving a picture, marks, and the dose of an image', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  await visitPatient(page, 'doctor', 'hakansson', 'Håkansson');
  const [viewer, mount, print] = [viewerPage(page), mountPage(page), printPage(page)];
  await page.getByRole('link', { name: /^Mount Bitewing 4/ }).click();
  await expect(mount.filled).toHaveCount(4);
  await viewer.isReady('mount');
  await viewer.press('Control+P');
  await expect(print.previewPictures).toHaveCount(4);
  await check.isGoodOver('print');
  await check.fits('print');
  await viewer.press('Escape');
  await expect(print.dialog).toBeHidden();

  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  await viewer.press('Control+S');
  await expect(print.saveDialog.getByRole('img', { name: 'Preview' })).toBeVisible();
  await check.isGoodOver('save picture');
  await check.fits('save picture');
  await viewer.press('Escape');
  await expect(print.saveDialog).toBeHidden();

  await viewer.press('d');
  await expect(page.getByRole('menuitem', { name: 'Area' })).toBeVisible();
  await check.isGoodOver('kinds of marks');
  await viewer.press('Escape');
  const saved = viewer.saved('/resource/image/marks');
  await viewer.press('Shift+E');
  await viewer.dragFrom({ x: 0.45, y: 0.4 }, { x: 0.55, y: 0.5 });
  await expect(viewer.marks).toHaveCount(1);
  await saved;
  await check.isGood('marks', { title: 'Patient' });
  await check.fits('marks');
  // Other journeys open the same image.
  const removed = viewer.saved('/resource/image/marks');
  await viewer.panel.getByRole('button', { name: /^Delete the m/ }).click();
  await removed;

  await page.getByText('Exposure and dose', { exact: true }).click();
  await expect(page.getByText('Tube voltage', { exact: true })).toBeVisible();
  await page.getByText('Radiation dose', { exact: true }).click();
  await expect(page.getByText(/^Sums of the dose area products/)).toBeVisible();
  await check.isGood('dose', { title: 'Patient' });
  await check.fits('dose');
});

test('the monitor check, and what was changed of a patient', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  const edit = dialogs(page);
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  const form = edit.dialog('Edit patient');
  await form.getByLabel('Comments').fill('Kallas åter till hösten');
  await edit.save('Edit patient');
  await edit.isClosed('Edit patient');
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  await form.getByText('Changes', { exact: true }).click();
  await expect(form.getByText('Kallas åter till hösten').first()).toBeVisible();
  await expect(form.locator('time').first()).toBeVisible();
  await check.isGoodOver('changes');
  await check.fits('changes');
  await page.keyboard.press('Escape');
  await edit.isClosed('Edit patient');

  await header(page).chooseSetting('Monitor check');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Monitor check');
  await check.isGood('monitor check', { title: 'Monitor check' });
  await check.fits('monitor check');
});
