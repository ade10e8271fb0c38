import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { decryptedZip } from '../../tests/decrypted-zip.ts';
import { unzipped } from '../../tests/server/unzipped.ts';
import { withManyImages } from '../many-images.ts';
import { gallery } from '../pages/gallery.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('images are found, selected, compared, downloaded and opened by keyboard', { tag: '@quick' }, async ({ page }) => {
  await signInAs(page, 'doctor');
  const wall = gallery(page);
  await wall.open();

  await wall.narrowTo('Intraoral (IO)');
  await expect(page).toHaveURL(/\?modality=IO$/);
  await page.reload();
  await expect(wall.button('Modality: IO')).toBeVisible();
  await expect(wall.images.first().locator('img')).toBeVisible();

  await wall.images.first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(wall.chosen).toHaveCount(2);
  // A range by mouse, from the last clicked image.
  await wall.images.nth(3).click({ modifiers: ['ControlOrMeta'] });
  await wall.images.nth(6).click({ modifiers: ['Shift'] });
  await expect(wall.chosen).toHaveCount(6);
  await wall.images.nth(3).click({ modifiers: ['Shift'] });
  await wall.images.nth(3).click({ modifiers: ['ControlOrMeta'] });
  await expect(wall.chosen).toHaveCount(2);

  const coming = page.waitForEvent('download');
  await wall.button(/^Download originals/).press('Enter');
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^images-\d{4}-\d\d-\d\d\.zip$/);
  const zip = await buffer(createReadStream(await download.path()));
  const text = zip.toString('latin1');
  expect(text.startsWith('PK\u0003\u0004')).toBe(true);
  // Two files, with names that do not identify the patient.
  expect(text.split('PK\u0001\u0002')).toHaveLength(3);
  expect(new Set(text.match(/\d{4}-\d\d-\d\d_IO_\d{3}\.dcm/g)).size).toBe(2);

  await wall.button('For a recipient …').press('Enter');
  const dialog = page.getByRole('dialog', { name: '2 images for a recipient' });
  await dialog.getByRole('textbox', { name: /^Recipient/ }).fill('Folktandvården');
  const comingEncrypted = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const encrypted = await buffer(createReadStream(await (await comingEncrypted).path()));
  const password = await dialog.getByRole('textbox', { name: /^Password of images-/ }).inputValue();
  expect(await decryptedZip(encrypted, password)).toEqual(await unzipped(zip));
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(dialog).toBeHidden();

  await wall.button('Compare').press('Enter');
  await expect(page).toHaveURL(/\/patient\/.+[?&]compare=[\da-f-]{36},[\da-f-]{36}$/);
  await page.goBack();
  await expect(wall.images.first().locator('img')).toBeVisible();

  await wall.images.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(wall.focused()).not.toHaveAttribute('data-index', '0');
  const index = (await wall.focused().getAttribute('data-index')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient\/.+image=[\da-f-]{36}$/);
  await page.goBack();
  // Back at the opened image.
  await expect(wall.focused()).toHaveAttribute('data-index', index);
});

test('more than ten thousand images can be scrolled to the end', async ({ page }) => {
  await withManyImages(page, 10_240);
  await signInAs(page, 'doctor');
  const wall = gallery(page);
  await wall.open();
  await expect(page.getByText('10,000+ images')).toBeVisible();

  // To the middle, by the scroll bar.
  const height = await wall.wall.evaluate((box) => box.scrollHeight);
  await wall.scrollTo(height / 2);
  await expect(
    wall.images
      .filter({ hasText: /Bitewing (49|50)\d\d$/ })
      .first()
      .locator('img'),
  ).toBeVisible();

  await wall.images.first().focus();
  await page.keyboard.press('End');
  await expect(wall.focused()).toHaveAttribute('data-index', '9999');
  await expect(wall.focused().locator('img')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText('10,240 images')).toBeVisible();
  await page.keyboard.press('End');
  await expect(wall.focused()).toHaveAttribute('data-index', '10239');
});

test('a thumbnail that scrolls out of view before it loads is cancelled', async ({ page }) => {
  const archive = await withManyImages(page, 5_000, { thumbnailMs: 3_000 });
  await signInAs(page, 'doctor');
  await page.getByRole('banner').getByRole('link', { name: 'Gallery' }).click();
  const wall = gallery(page);
  await expect(wall.images.first().locator('img')).toBeAttached();
  await expect.poll(() => archive.thumbnails.requested).toBeGreaterThan(0);
  await wall.scrollTo(40_000);
  await expect.poll(() => archive.thumbnails.abandoned).toBeGreaterThan(0);
});
