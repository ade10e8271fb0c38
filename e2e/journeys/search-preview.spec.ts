import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const isDay = /^\d{4}-\d{2}-\d{2}$/;

test('the newest images of a patient or study stand beside its row, by pointer and by keys, and nothing moves for them', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(window, { shifts: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push('value' in entry ? Number(entry.value) : 0);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/resource/image/search')) asked.push(request.postData() ?? '');
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await signInAs(page, 'doctor');
  const preview = page.getByRole('region', { name: 'Newest images' });
  const pictures = preview.getByRole('img');
  const search = page.getByRole('searchbox', { name: 'Description, number or patient' });
  /** All rows but the headings: those of an earlier search have gone. */
  const areOf = (name: string) => expect(page.getByRole('row').filter({ hasNotText: name })).toHaveCount(1);
  const row = (name: RegExp) => page.getByRole('row', { name });
  /** Fetched and drawn, each of them. */
  const areThere = (count: number) =>
    expect
      .poll(() =>
        pictures.evaluateAll((all) => all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)),
      )
      .toEqual(Array.from({ length: count }, () => true));

  await expect(row(/Forsgren, Leif/)).toBeVisible();
  await expect(preview).toContainText('Point at a row');
  expect(asked).toEqual([]);
  await row(/Björklund, Johanna/).hover();
  await row(/Bäckström, Nils/).hover();
  await row(/Forsgren, Leif/).hover();
  await expect(preview).toContainText('Leif Forsgren');
  await areThere(5);
  await expect(pictures.first()).toHaveAttribute('alt', /\S/);
  // The demo clinic counts its days from today: they are as old as the row says.
  const lastStudy = (
    await row(/Forsgren, Leif/)
      .getByRole('gridcell')
      .allInnerTexts()
  ).find((text) => isDay.test(text));
  await expect(preview.getByText(lastStudy ?? 'a day', { exact: true })).toHaveCount(5);
  // No other journey gives her images.
  await row(/Järvinen, Päivi/).hover();
  await expect(preview).toContainText('No images yet');

  // The keys lead on from the row that was clicked last, whatever lies under the pointer.
  await row(/Fägerskiöld, Torbjörn/).focus();
  await expect(preview).toContainText('Torbjörn Fägerskiöld');
  await areThere(6);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient\//);
  await page.goBack();

  await page.getByText('Studies', { exact: true }).first().click();
  await search.fill('Wåhlin');
  await areOf('Wåhlin');
  await row(/Panorama.*Wåhlin, Linnéa/).hover();
  await expect(preview).toContainText('Linnéa Wåhlin');
  await areThere(1);
  expect(
    await page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, one) => sum + one, 0)),
  ).toBeLessThan(0.02);

  // Where there is no room the table has all of it.
  await page.setViewportSize({ width: 1000, height: 720 });
  await expect(preview).toBeHidden();
  const before = asked.length;
  await search.fill('Ängström');
  await areOf('Ängström');
  await row(/Bitewing 4 bilder.*Ängström/).hover();
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(preview).toBeVisible();
  expect(asked).toHaveLength(before);
});
