import { tiffOf } from '../../tests/dicom/build-tiff.ts';
import { buildVideo } from '../../tests/dicom/build-video.ts';
import { heicPicture } from '../../tests/dicom/heic-picture.ts';
import { pdfObject } from '../../tests/server/pdf-object.ts';
import { importTray } from '../pages/import-tray.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

test('a PDF is opened and saved, a video is played, and TIFF and HEIC pictures are images', async ({ page }) => {
  await visitPatient(page, 'doctor', 'tarnfors', 'Tärnfors');
  const tray = importTray(page);
  await tray.drop([{ name: 'letter.dcm', bytes: pdfObject(pdf) }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await expect(page.getByRole('heading', { name: 'PDF document' })).toBeVisible();
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open PDF' }).click(),
  ]);
  await expect.poll(() => opened.url()).toMatch(/^blob:/);
  await opened.close();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^document-\d{4}-\d{2}-\d{2}\.pdf$/);

  await tray.drop([{ name: 'remiss.pdf', bytes: pdf }]);
  await tray.isDone();
  await expect(tray.rows().first()).toContainText('1 file imported');
  await expect(page.getByText('PDF file', { exact: true })).toBeVisible();

  await tray.drop([
    { name: 'IMG_0002.MOV', bytes: Buffer.from(await buildVideo({ container: 'mov', columns: 20, rows: 15 })) },
  ]);
  await tray.isDone();
  await expect(page.getByText('Video file', { exact: true })).toBeVisible();
  const player = page.locator('video');
  // Chromium as Playwright ships it has no H.264.
  const hasCodec = await page.evaluate(() =>
    document.createElement('video').canPlayType('video/mp4; codecs="avc1.42c01e"'),
  );
  if (hasCodec) {
    await player.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
    expect(await player.evaluate((video: HTMLVideoElement) => [video.videoWidth, video.videoHeight])).toEqual([
      320, 240,
    ]);
  } else {
    await expect(page.getByRole('heading', { name: 'This browser cannot play the video' })).toBeVisible();
  }

  const scan = tiffOf({
    width: 64,
    height: 48,
    bits: 8,
    strip: Buffer.from(Array.from({ length: 64 * 48 }, (_, pixel) => pixel % 251)),
  });
  await tray.drop([
    { name: 'scan.tif', bytes: scan },
    { name: 'IMG_0001.HEIC', bytes: heicPicture },
  ]);
  await tray.isDone();
  await expect(tray.rows().first()).toContainText('2 files imported');
  await expect(page.getByRole('link', { name: 'Open XC 1' }).locator('img')).toBeVisible();
});
