import type { Page } from '@playwright/test';

import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** Starts to observe layout shifts; the returned function says what moved by more than 0.001 since. */
async function observeShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(async () => {
    // What the previous step changed is painted before the observer starts.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry && Number(entry.value) > 0.001) shifts.push(JSON.stringify(entry));
      }
    }).observe({ type: 'layout-shift' });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts') as string[]);
}

test('the newest images of a row are previewed by pointer and keyboard without layout shifts', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/resource/image/search')) requests.push(request.postData() ?? '');
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await signInAs(page, 'doctor');
  const preview = page.getByRole('region', { name: 'Newest images' });
  const pictures = preview.getByRole('img');
  const search = page.getByRole('searchbox', { name: 'Description, number or patient' });
  /** All rows but the header; rows of the previous search are gone. */
  const areOf = (name: string) => expect(page.getByRole('row').filter({ hasNotText: name })).toHaveCount(1);
  const row = (name: RegExp) => page.getByRole('row', { name });
  /** All images are loaded and drawn. */
  const areThere = (count: number) =>
    expect
      .poll(() =>
        pictures.evaluateAll((all) => all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)),
      )
      .toEqual(Array.from({ length: count }, () => true));

  await expect(row(/Forsgren, Leif/)).toBeVisible();
  await expect(preview).toContainText('Point to a row');
  expect(requests).toEqual([]);
  const shiftsOfPatients = await observeShifts(page);
  await row(/Björklund, Johanna/).hover();
  await row(/Bäckström, Nils/).hover();
  await row(/Forsgren, Leif/).hover();
  await expect(preview).toContainText('Leif Forsgren');
  await areThere(5);
  await expect(pictures.first()).toHaveAttribute('alt', /\S/);
  // Dates of the demo clinic are relative to today, so ages match the row.
  const lastStudy = (
    await row(/Forsgren, Leif/)
      .getByRole('gridcell')
      .allInnerTexts()
  ).find((text) => isDay.test(text));
  await expect(preview.getByText(lastStudy ?? 'a day', { exact: true })).toHaveCount(5);
  // No other test adds images to this patient.
  await row(/Järvinen, Päivi/).hover();
  await expect(preview).toContainText('No images yet');

  // Keys continue from the last clicked row, whatever is under the pointer.
  await row(/Fägerskiöld, Torbjörn/).focus();
  await expect(preview).toContainText('Torbjörn Fägerskiöld');
  await areThere(6);
  expect(await shiftsOfPatients()).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient\//);
  await page.goBack();

  await page.getByText('Studies', { exact: true }).first().click();
  await search.fill('Wåhlin');
  await areOf('Wåhlin');
  const shiftsOfStudies = await observeShifts(page);
  await row(/Panorama.*Wåhlin, Linnéa/).hover();
  await expect(preview).toContainText('Linnéa Wåhlin');
  await areThere(1);
  expect(await shiftsOfStudies()).toEqual([]);

  // Without space for a preview, the table uses the full width.
  await page.setViewportSize({ width: 1000, height: 720 });
  await expect(preview).toBeHidden();
  const before = requests.length;
  await search.fill('Ängström');
  await areOf('Ängström');
  await row(/Bitewing 4 bilder.*Ängström/).hover();
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(preview).toBeVisible();
  expect(requests).toHaveLength(before);
});
