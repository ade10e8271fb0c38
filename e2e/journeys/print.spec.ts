import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { pdfContents, pdfPages } from '../../tests/server/pdf-text.ts';
import { mountPage } from '../pages/mount.ts';
import { printPage } from '../pages/print.ts';
import { replyTo } from '../pages/replies.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ viewport: { width: 1760, height: 900 } });

interface KnownImage {
  readonly uid: string;
  readonly width: number;
  readonly height: number;
  readonly imageAcquiredDate: string;
}

interface KnownMount {
  readonly name: string;
  readonly viewSetItems: readonly { readonly teeth: readonly number[]; readonly activeImage: KnownImage }[];
}

/** Opens a mount with four images and returns it. */
const openMount = async (page: Page): Promise<KnownMount> => {
  await visitPatient(page, 'doctor', 'hakansson', 'Håkansson');
  const link = page.getByRole('link', { name: /^Mount Bitewing 4/ });
  const id = (await link.getAttribute('href'))?.split('/').at(-1);
  const mount = replyTo<KnownMount>(page, new RegExp(`/resource/viewset/${id}$`));
  await link.click();
  await expect(mountPage(page).filled).toHaveCount(4);
  await viewerPage(page).isReady('mount');
  return mount;
};

test('a mount is printed by key and by button, with the teeth, days and sides of its slots', async ({ page }) => {
  const { viewSetItems, name } = await openMount(page);
  const [viewer, print] = [viewerPage(page), printPage(page)];
  await viewer.press('Control+P');
  await expect(print.previewPictures).toHaveCount(4);
  const byKey = await print.createdPdf();
  expect(byKey.name).toMatch(/^picture-\d{4}-\d{2}-\d{2}\.pdf$/);
  await viewer.press('Escape');
  await expect(print.dialog).toBeHidden();
  await viewer.clickTool('Print …');
  await expect(print.previewPictures).toHaveCount(4);
  const byButton = await print.createdPdf();

  const [lines] = pdfPages(byKey.bytes);
  const withoutTime = (text: string[] | undefined) => text?.map((line) => line.replace(/\d\d:\d\d by/, 'by'));
  expect(withoutTime(pdfPages(byButton.bytes)[0])).toEqual(withoutTime(lines));
  expect(lines).toContain(name);
  expect(lines?.join('\n')).toContain('Håkansson');
  expect(lines).toContain('Copy, not for diagnosis');
  const teeth = viewSetItems.map(({ teeth }) => teeth.join(' '));
  expect(lines?.flatMap((line) => /^(?:\d{4}-\d{2}-\d{2} · )?(\d\d(?: \d\d)+)$/.exec(line)?.[1] ?? [])).toEqual(teeth);
  const days = new Set(viewSetItems.map(({ activeImage }) => activeImage.imageAcquiredDate.slice(0, 10)));
  for (const day of days) expect(lines?.join('\n')).toContain(day);
  expect(lines?.filter((line) => line === 'R' || line === 'L')).toEqual(['R', 'L']);
});

test('an image is printed at true size once it is calibrated', async ({ page }) => {
  const { viewSetItems } = await openMount(page);
  const [viewer, print, mount] = [viewerPage(page), printPage(page), mountPage(page)];
  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  await viewer.press('k');
  await viewer.dragFrom({ x: 0.45, y: 0.4 }, { x: 0.55, y: 0.4 });
  const saved = viewer.savedCalibration();
  await viewer.calibrate('10');
  const { calibration, imageUid } = (await saved).request().postDataJSON();
  await viewer.press('Control+P');
  await print.choose('True size 1:1');
  await expect(print.previewPictures).toHaveCount(1);
  const { bytes } = await print.createdPdf();
  const [page1] = pdfContents(bytes);
  const box = /([\d.]+) 0 0 -([\d.]+) [\d.-]+ [\d.-]+ cm\n\/I\d+ Do/.exec(page1?.content ?? '');
  const widthMm = (Number(box?.[1]) / 72) * 25.4;
  const images = viewSetItems.map(({ activeImage }) => activeImage);
  const { width, height } = images.find(({ uid }) => uid === imageUid) ?? { width: 0, height: 0 };
  // Both ways round: the image may be turned.
  const possible = [width, height].map((pixels) => pixels * calibration.mmPerPixel);
  expect(Math.min(...possible.map((mm) => Math.abs(mm - widthMm)))).toBeLessThan(0.01);
  expect(pdfPages(bytes)[0]).toContain('True size 1:1 (calibrated)');
  expect(pdfPages(bytes)[0]).toContain('50 mm');
  // Other journeys measure the same image.
  await viewer.press('Escape');
  await expect(print.dialog).toBeHidden();
  const removed = viewer.saved('/image/marks');
  await viewer.panel.getByRole('button', { name: 'Remove the calibration' }).click();
  await removed;
});

test('a picture is saved after it was logged, and not when the archive refuses', async ({ page }) => {
  await openMount(page);
  const [viewer, print, mount] = [viewerPage(page), printPage(page), mountPage(page)];
  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  await viewer.press('Control+S');
  await expect(print.saveDialog.getByRole('img', { name: 'Preview' })).toBeVisible();
  await page.route('**/resource/image/export', (route) =>
    route.fulfill({ status: 404, contentType: 'application/json', body: '{"code":"not-found"}' }),
  );
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await print.saveDialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(print.saveDialog.getByRole('alert')).toContainText('The picture was not saved.');
  expect(downloads).toBe(0);
  await page.unroute('**/resource/image/export');
  const logged = page.waitForResponse((one) => one.url().endsWith('/resource/image/export'));
  const { name, bytes } = await print.savedPicture();
  expect((await logged).status()).toBe(200);
  expect(name).toMatch(/^picture-\d{4}-\d{2}-\d{2}\.png$/);
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width > 300, height > 200]).toEqual(['png', true, true]);
  await expect(print.saveDialog).toBeHidden();
});

/** Grey values of a saved picture. */
const pixelsOf = async (bytes: Buffer) => {
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { format, data, width: info.width, height: info.height };
};
type Pixels = Awaited<ReturnType<typeof pixelsOf>>;

/** Number of pixels that differ by more than JPEG does, as far down as both pictures go. */
const differences = (one: Pixels, other: Pixels): number => {
  const rows = Math.min(one.height, other.height);
  return one.data.subarray(0, rows * one.width).filter((value, at) => Math.abs(value - (other.data[at] ?? 0)) > 80)
    .length;
};

test('a picture is saved as JPEG, without marks, and with the identity below it', async ({ page }) => {
  await openMount(page);
  const [viewer, print, mount] = [viewerPage(page), printPage(page), mountPage(page)];
  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  await viewer.isDrawn();
  const saved = viewer.saved('/resource/image/marks');
  await viewer.press('Shift+E');
  await viewer.dragFrom({ x: 0.4, y: 0.35 }, { x: 0.6, y: 0.6 });
  await expect(viewer.marks).toHaveCount(1);
  await saved;
  const picture = async (choose: () => Promise<void>): Promise<Pixels> => {
    await viewer.press('Control+S');
    await choose();
    await expect(print.saveDialog.getByRole('img', { name: 'Preview' })).toBeVisible();
    const { name, bytes } = await print.savedPicture();
    await expect(print.saveDialog).toBeHidden();
    const pixels = await pixelsOf(bytes);
    expect(name.endsWith(pixels.format === 'jpeg' ? '.jpg' : '.png')).toBe(true);
    return pixels;
  };
  const jpeg = () => print.saveDialog.getByText('JPEG (smaller file)').click();
  const marksOff = () => print.saveDialog.getByRole('checkbox', { name: 'Marks and measurements' }).uncheck();
  const marked = await picture(async () => undefined);
  const markedJpeg = await picture(jpeg);
  const unmarked = await picture(async () => {
    await jpeg();
    await marksOff();
  });
  const named = await picture(async () => {
    await jpeg();
    await marksOff();
    await print.saveDialog.getByRole('checkbox', { name: /^Name, personal number and date/ }).check();
  });
  const all = [marked, markedJpeg, unmarked, named];
  expect(all.map(({ format }) => format)).toEqual(['png', 'jpeg', 'jpeg', 'jpeg']);
  expect(new Set(all.map(({ width }) => width)).size).toBe(1);
  expect([markedJpeg.height, unmarked.height]).toEqual([marked.height, marked.height]);
  expect(differences(marked, markedJpeg)).toBeLessThan(50);
  expect(differences(markedJpeg, unmarked)).toBeGreaterThan(200);
  expect(named.height).toBeGreaterThan(unmarked.height);
  expect(differences(unmarked, named)).toBeLessThan(50);
  const strip = named.data.subarray(unmarked.height * named.width);
  const part = (is: (value: number) => boolean) => strip.filter(is).length / strip.length;
  expect(part((value) => value > 240)).toBeGreaterThan(0.5);
  expect(part((value) => value < 60)).toBeGreaterThan(0.005);
  // Other journeys open the same image.
  const removed = viewer.saved('/resource/image/marks');
  await viewer.panel.getByRole('button', { name: /^Delete the m/ }).click();
  await removed;
});
