import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { readDirectory } from '../../dicom/directory.ts';
import { readDisplay } from '../../dicom/display-objects/read-display.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { displayFile, image, owner } from '../../tests/dicom/written-objects.ts';
import { smallObject } from '../../tests/server/small-object.ts';
import { unzipped } from '../../tests/server/unzipped.ts';
import { gallery } from '../pages/gallery.ts';
import { importTray } from '../pages/import-tray.ts';
import { signInAs } from '../pages/sign-in.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** A study of its own: journeys share an archive, where a study belongs to one patient. */
const uids = { StudyInstanceUID: '2.25.146001', SeriesInstanceUID: '2.25.146002', SOPInstanceUID: '2.25.146003' };
const ownStudy = { ...owner, study: { ...owner.study, uid: uids.StudyInstanceUID } };
const ownImage = {
  ...image,
  studyUid: uids.StudyInstanceUID,
  seriesUid: uids.SeriesInstanceUID,
  sopInstanceUid: uids.SOPInstanceUID,
};

test('a mount that arrives before its image names the gap, and is filled when the image comes', async ({ page }) => {
  await visitPatient(page, 'doctor', 'palmkvist', 'Palmkvist');
  const tray = importTray(page);
  await tray.drop([{ name: 'mount.dcm', bytes: displayFile(undefined, ownStudy, undefined, ownImage) }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await page
    .getByRole('link', { name: /Full mouth/ })
    .first()
    .click();
  const slots = page.getByRole('listbox', { name: 'Slots of Full mouth' }).getByRole('option');
  await expect(slots).toHaveCount(2);
  const notice = page.getByText('1 image has not arrived: slot 1.');
  await expect(notice).toBeVisible();

  await tray.drop([{ name: 'image.dcm', bytes: smallObject(uids) }]);
  await tray.confirmMismatch();
  await tray.isDone();
  await expect(notice).toBeHidden();
  await expect(slots.first()).toHaveAccessibleName(/^Slot 1\b(?!.*empty)/);
});

test('an image of a mount goes out with it, and the page says what DICOM objects cannot', async ({ page }) => {
  await signInAs(page, 'doctor');
  const wall = gallery(page);
  await wall.open();
  await page.getByRole('searchbox', { name: 'Patient, study or file' }).fill('Nyström');
  await expect(wall.images).toHaveCount(2);
  await wall.images.first().focus();
  await page.keyboard.press('Space');
  await wall.button('For a recipient …').press('Enter');
  const dialog = page.getByRole('dialog', { name: '1 image for a recipient' });
  await dialog.getByRole('textbox', { name: /^Recipient/ }).fill('Folktandvården');
  await dialog.getByRole('combobox', { name: 'Content' }).selectOption('DICOM folder with DICOMDIR');
  await dialog.getByRole('checkbox', { name: /^Also mounts and marks/ }).press('Space');
  await dialog.getByRole('checkbox', { name: /^Encrypt/ }).press('Space');
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Download/ }).press('Enter');
  const medium = new Map(await unzipped(await buffer(createReadStream(await (await coming).path()))));
  await expect(
    page.getByText(/left-out-displays\.csv.*images of the mount that are not in the download/s),
  ).toBeVisible();
  const listed = readDirectory(readDicomFile(medium.get('DICOMDIR') ?? Buffer.of()));
  expect(listed.map(({ recordType }) => recordType)).toEqual(['IMAGE', 'PRESENTATION', 'PRESENTATION']);
  const { boxes } = readDisplay(readDicomFile(medium.get('DICOM/PS000002') ?? Buffer.of()).dataSet);
  expect(boxes.filter(({ image }) => image !== null)).toHaveLength(1);
});
