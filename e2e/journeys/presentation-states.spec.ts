import { bytesOf, element } from '../../tests/dicom/build-dicom.ts';
import {
  annotationItem,
  bitmapShutter,
  layerItem,
  overlayElements,
  sequence,
  stateFile,
} from '../../tests/dicom/build-state.ts';
import { smallObject } from '../../tests/server/small-object.ts';
import { accessible } from '../pages/accessible.ts';
import { importTray } from '../pages/import-tray.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const [columns, rows] = [400, 300];
const image = smallObject({
  SOPInstanceUID: '2.25.512001',
  StudyInstanceUID: '2.25.512002',
  SeriesInstanceUID: '2.25.512003',
  Rows: rows,
  Columns: columns,
  PixelData: Uint16Array.from({ length: columns * rows }, (_, at) => (at % columns) * 10),
});
const ofImage = {
  studyUid: '2.25.512002',
  images: [['2.25.512001']],
  patient: bytesOf(
    element(0x00100010, 'PN', 'Lindstrom^Asa'),
    element(0x00100020, 'LO', '19800101-1234'),
    element(0x00100030, 'DA', '19800101'),
  ),
} as const;
const state = stateFile({
  ...ofImage,
  sopInstanceUid: '2.25.512009',
  description: 'Second opinion',
  area: [1, 1, columns, rows],
  shutter: bytesOf(
    element(0x00181600, 'CS', 'RECTANGULAR'),
    element(0x00181602, 'IS', '21'),
    element(0x00181604, 'IS', '380'),
    element(0x00181606, 'IS', '21'),
    element(0x00181608, 'IS', '280'),
  ),
  grey: sequence(0x00283110, [bytesOf(element(0x00281050, 'DS', '2000'), element(0x00281051, 'DS', '3000'))]),
  layers: [layerItem('FINDINGS', 1)],
  annotations: [
    annotationItem(
      'FINDINGS',
      [
        { type: 'ELLIPSE', points: [150, 150, 250, 150, 200, 120, 200, 180] },
        { type: 'INTERPOLATED', points: [60, 220, 100, 240, 140, 215, 180, 235] },
      ],
      [{ text: 'Caries?', box: [0.55, 0.2, 0.75, 0.28], boxUnits: 'DISPLAY', anchor: [200, 120], anchored: true }],
    ),
  ],
});

/** Shows the right half, of which a triangle at its left is covered in grey. */
const section = stateFile({
  ...ofImage,
  sopInstanceUid: '2.25.512010',
  description: 'Section',
  area: [201, 76, 400, 225],
  shutter: bitmapShutter(),
  overlays: overlayElements({
    rows: Array.from({ length: rows }, (_, row) => 'x'.repeat(200 + row / 3).padEnd(columns, '.')),
  }),
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('presentation states that arrive later are offered with their image, shown, hidden with the marks and left again', async ({
  page,
}) => {
  await visitPatient(page, 'doctor', 'palmkvist', 'Palmkvist');
  const tray = importTray(page);
  await tray.drop([{ name: 'image.dcm', bytes: image }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await expect(page.getByTestId('overlay-window')).toContainText('C');
  await expect(page.getByRole('radiogroup', { name: 'Saved displays' })).toHaveCount(0);

  await tray.drop([{ name: 'state.dcm', bytes: state }]);
  await tray.confirmMismatch();
  await tray.isDone();
  // The image is still the only one, and its page learns of the state by itself.
  const choices = page.getByRole('radiogroup', { name: 'Saved displays' });
  await expect(choices.getByRole('radio')).toHaveCount(2);
  await choices.getByRole('radio', { name: /^As stored/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('overlay-state')).toHaveText('Saved display: Second opinion');
  await expect(page.getByTestId('overlay-window')).toContainText('2000');
  const graphics = page.locator('canvas[data-overlay-planes]');
  const inked = () =>
    graphics.evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      return pixels.some((value, at) => at % 4 === 3 && value > 0);
    });
  await expect.poll(inked).toBe(true);
  await page.keyboard.press('v');
  await expect(page.getByTestId('overlay-state')).toContainText('Its graphics are hidden');
  await expect.poll(inked).toBe(false);
  await page.keyboard.press('v');
  const check = accessible(page);
  await check.isGood('saved displays', { title: 'Patient' });
  await check.fits('saved displays');
  await choices.getByRole('radio', { name: /^As stored/ }).check();
  await expect(page.getByTestId('overlay-state')).toHaveCount(0);

  // Another one has a section of the image and a bitmap shutter; the user goes on from there.
  await tray.drop([{ name: 'section.dcm', bytes: section }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await expect(choices.getByRole('radio')).toHaveCount(3);
  const zoom = page.getByTestId('overlay-zoom');
  const percent = async () => Number.parseFloat((await zoom.textContent()) ?? '');
  await expect(zoom).toHaveText(/%|1:1/);
  const whole = await percent();
  await choices.getByRole('radio', { name: /^Section/ }).check();
  const sign = page.getByTestId('overlay-state');
  await expect(sign).toHaveText('Saved display: SectionSection of the image');
  await expect.poll(percent).toBeGreaterThan(whole * 1.5);
  const part = await percent();

  /** Share of the stage that is covered in the grey of the shutter. */
  const covered = () =>
    page.locator('canvas[data-overlay-planes]').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      let count = 0;
      for (let at = 0; at < pixels.length; at += 4) if (pixels[at] === 0x80 && pixels[at + 3] === 255) count += 1;
      return count / (width * height);
    });
  await expect.poll(covered).toBeGreaterThan(0.1);
  await page.keyboard.press('v');
  await expect(sign).toContainText('Its graphics are hidden');
  await expect.poll(covered).toBe(0);
  await page.keyboard.press('v');

  await page.keyboard.press('+');
  await expect.poll(percent).toBeGreaterThan(part);
  await expect(sign).toHaveText('Saved display: Section');
  await page.keyboard.press('q');
  await expect.poll(percent).toBe(whole);
  await page.keyboard.press('Backspace');
  await expect.poll(percent).toBe(part);
  await choices.getByRole('radio', { name: /^As stored/ }).check();
  await expect.poll(percent).toBe(whole);
});
