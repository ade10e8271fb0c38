import type { Request } from '@playwright/test';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const patients = 10;

test('ten patients visited before open again without a request for data or pixels', async ({ page }) => {
  test.slow();
  const requests: string[] = [];
  let answered = 0;
  const isCounted = (request: Request) =>
    /^\/resource\/(patient\/(?!search)|study|viewset|image\/(?!search))/.test(new URL(request.url()).pathname);
  page.on('request', (request) => {
    if (isCounted(request)) requests.push(request.url());
  });
  const countAnswer = (request: Request) => {
    if (isCounted(request)) answered++;
  };
  page.on('requestfinished', countAnswer);
  page.on('requestfailed', countAnswer);
  const enter = async (name: string) => {
    await page.getByRole('row', { name }).press('Enter');
    await expect(page).toHaveURL(/\/patient\//);
    await expect(patientPage(page).viewer).toHaveAttribute('aria-busy', 'false');
  };
  const leave = async (name: string) => {
    await page.goBack();
    await expect(page.getByRole('row', { name })).toBeVisible();
  };
  await signInAs(page, 'doctor');
  const rows = page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: /^\d{4}-\d{2}-\d{2}$/ }) });
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(patients);
  const names = (await rows.allInnerTexts()).slice(0, patients).map((text) => text.trim().split('\t')[0] ?? '');
  const visitAll = async () => {
    requests.length = 0;
    answered = 0;
    for (const name of names) {
      await enter(name);
      await patientPage(page).restingPixels();
      await expect.poll(() => requests.length - answered).toBe(0);
      await leave(name);
    }
    return requests.length;
  };
  expect(await visitAll()).toBeGreaterThan(3 * patients);
  // On a busy machine a visit may end while an image is being decoded; the next visit loads that image again.
  await expect.poll(visitAll, { timeout: 300_000 }).toBe(0);
});
