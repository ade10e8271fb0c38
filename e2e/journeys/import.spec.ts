import { offered } from '../offered-files.ts';
import { header } from '../pages/header.ts';
import { importTray } from '../pages/import-tray.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('of several files one is broken, the others are imported, and one is opened', { tag: '@quick' }, async ({
  page,
}) => {
  await signInAs(page, 'doctor');
  await header(page).type('bjorkl');
  await header(page).pickFirst();
  const patient = patientPage(page);
  await expect(patient.images()).toHaveCount(0);

  const tray = importTray(page);
  const files = await offered(['io-12bit', 'io-mono1', 'px-16bit-jls', 'ct-signed-j2k', 'io-rle', 'broken']);
  await tray.drop([...files, { name: 'notes.txt', bytes: new TextEncoder().encode('This is no image.') }]);

  await expect(tray.rows()).toHaveCount(1);
  await expect(tray.rows().first()).toHaveAttribute('data-outcome', 'needs-decision');
  await tray.confirmMismatch();
  await tray.isDone();
  const row = tray.rows().first();
  await expect(row).toContainText('5 of 7 imported');
  await expect(row).toContainText('2 files were rejected');
  await expect(row).toContainText('broken.dcm');
  await expect(row).toContainText('notes.txt');

  const study = page.getByText('Provbilder').first();
  await expect(study).toBeVisible();
  await expect(patient.images()).toHaveCount(5);
  await expect(patient.thumbnails()).toHaveCount(5);
  await patient.openFirstImage();
  expect((await patient.greyStatistics()).spread).toBeGreaterThan(10);

  await tray.drop(await offered(['io-12bit']));
  await expect(page.getByText('The image was already in the archive')).toBeVisible();
});

test('an import of broken files only fails with a message and imports nothing', async ({ page }) => {
  await signInAs(page, 'doctor');
  await header(page).type('lundm');
  await header(page).pickFirst();
  const tray = importTray(page);
  await tray.drop(await offered(['broken']));
  await tray.isFailed();
  await expect(tray.rows().first()).toContainText('broken.dcm');
});
