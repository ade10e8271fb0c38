import type { Page } from '@playwright/test';
import { changingWorker } from '../changing-worker.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const isInCharge = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');

test('the app is installable', async ({ page }) => {
  await page.goto('/authorization');
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  const { icons, display, start_url } = await (await page.request.get(manifest ?? '')).json();
  expect({ display, start_url }).toEqual({ display: 'standalone', start_url: '/' });
  for (const { src, sizes } of icons) {
    const size = await page.evaluate(async (address) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob());
      return `${width}x${height}`;
    }, src);
    expect(size).toBe(sizes);
  }
  await isInCharge(page);
  // No archive data is cached.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test('a page opened while the server is down says so, and opens when the server is back', async ({ page, archive }) => {
  await page.goto('/authorization');
  await isInCharge(page);
  await archive.kill();
  await page.goto('/authorization');
  await expect(page.getByRole('heading', { name: 'Ingen kontakt med arkivet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Försök igen' })).toBeVisible();
  await archive.restart();
  await expect(page.getByRole('heading', { name: 'Ingen kontakt med arkivet' })).toBeHidden();
  await expect(page).toHaveURL(/\/authorization$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a new version asks before it reloads', async ({ page, archive }) => {
  const deployment = await changingWorker(archive.url);
  try {
    await page.goto(`${deployment.url}/authorization`);
    await isInCharge(page);
    const loaded = await page.evaluate(() => performance.timeOrigin);
    deployment.change();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    const question = page.getByRole('alert').filter({ hasText: 'En ny version av Dentarium finns' });
    await expect(question).toBeVisible();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
    await question.getByRole('button', { name: 'Ladda om nu' }).click();
    await expect.poll(() => page.evaluate(() => performance.timeOrigin).catch(() => loaded)).not.toBe(loaded);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(question).toBeHidden();
  } finally {
    await deployment.close();
  }
});

test('a file dropped before the program has loaded is not opened, and the page says so', async ({ page }) => {
  await signInAs(page, 'doctor');
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  const isPrevented = () =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'image.dcm'));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      return document.documentElement.dispatchEvent(new DragEvent('drop', options)) === false;
    });
  await expect.poll(isPrevented).toBe(true);
  held.resolve();
  await expect(page.getByText(/^The page was still loading and did not take the files/)).toBeVisible();
});
