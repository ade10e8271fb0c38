import { offered } from '../offered-files.ts';
import { header } from '../pages/header.ts';
import { importTray } from '../pages/import-tray.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('the browser closes in the middle of an upload: what arrived is found and finished by the next session', async ({
  browser,
  baseURL,
}) => {
  const first = await browser.newPage({ baseURL });
  await signInAs(first, 'doctorElsewhere');
  await header(first).type('thorlu');
  await header(first).pickFirst();
  const place = new URL(first.url()).pathname;
  // The first file gets through, the others never end.
  let sent = 0;
  await first.route('**/resource/ImageImport/dicom', async (route) => {
    sent += 1;
    if (sent === 1) await route.continue();
  });
  await importTray(first).drop(await offered(['io-12bit', 'io-mono1', 'io-rle']));
  await expect(importTray(first).rows().first()).toContainText('1 of 3 files');
  await first.close();

  const second = await browser.newPage({ baseURL });
  await signInAs(second, 'doctorElsewhere', place);
  const row = importTray(second).rows().first();
  await expect(row).toContainText('1 of 3 files arrived before the upload stopped', { timeout: 30_000 });
  await second.getByRole('button', { name: 'Import what arrived' }).click();
  await importTray(second).confirmMismatch();
  await importTray(second).isDone();
  await expect(row).toContainText('1 image imported');
  await expect(importTray(second).rows()).toHaveCount(1);
  await second.close();
});
