import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { demoPassword, people, signInPage } from '../pages/sign-in.ts';
import { countScripts } from '../scripts-loaded.ts';
import { expect, test } from '../test.ts';

const kilobyte = 1000;

test('the sign-in page and the viewer are light', async ({ page }) => {
  const scripts = countScripts(page);
  const entry = signInPage(page);
  await entry.open();
  await page.waitForLoadState('networkidle');
  const signIn = await scripts.total();
  console.log(`sign-in page: ${(signIn.bytes / kilobyte).toFixed(1)} KB of compressed JavaScript`);
  expect(signIn.bytes, JSON.stringify(signIn.entries)).toBeLessThanOrEqual(230 * kilobyte);

  await entry.enter(people.doctor, demoPassword);
  await header(page).type('and');
  await header(page).pickFirst();
  await expect(patientPage(page).thumbnails().first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const before = await scripts.total();
  await patientPage(page).openFirstImage();
  const after = await scripts.total();
  const viewer = after.bytes - before.bytes;
  console.log(`viewer: ${(viewer / kilobyte).toFixed(1)} KB of compressed JavaScript beyond the patient page`);
  console.log(`patient page: ${((before.bytes - signIn.bytes) / kilobyte).toFixed(1)} KB beyond sign-in`);
  expect(viewer, JSON.stringify(after.entries)).toBeLessThanOrEqual(500 * kilobyte);
  expect(viewer).toBeGreaterThan(50 * kilobyte);
});
