import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { demoPassword, demoUsers, signInPage } from '../pages/sign-in.ts';
import { countScripts } from '../scripts-loaded.ts';
import { expect, test } from '../test.ts';

const kilobyte = 1000;
const built = path.join(import.meta.dirname, '..', '..', 'dist');

test('the build does not contain the developers’ inspector', () => {
  const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?js$/.test(name));
  const ofInspector = scripts.filter((name) =>
    /dentarium-inspect|data-inspector/.test(readFileSync(path.join(built, name), 'utf8')),
  );
  expect(scripts.length).toBeGreaterThan(20);
  expect(ofInspector).toEqual([]);
});

test('the services of forms are one file, which needs none but those that are loaded before', () => {
  const services = readdirSync(path.join(built, 'assets')).filter((name) => /^services-[\w-]+\.js$/.test(name));
  expect(services).toHaveLength(1);
  const text = readFileSync(path.join(built, 'assets', services[0] ?? ''), 'utf8');
  const imported = [...text.matchAll(/from"\.\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(imported.filter((name) => !/^(load|program|workspace|rolldown-runtime)-/.test(name))).toEqual([]);
  expect(imported.length).toBeGreaterThan(1);
});

test('sign-in page and viewer stay below their size limits', async ({ page }) => {
  const scripts = countScripts(page);
  // As on a return visit: translations of one language only.
  await page.addInitScript(() => localStorage.setItem('dentarium.preferences', '{"language":"en"}'));
  const signInForm = signInPage(page);
  await signInForm.open();
  await page.waitForLoadState('networkidle');
  const signIn = await scripts.total();
  console.log(`sign-in page: ${(signIn.bytes / kilobyte).toFixed(1)} KB of compressed JavaScript`);
  expect(signIn.bytes, JSON.stringify(signIn.entries)).toBeLessThanOrEqual(221 * kilobyte);
  // Code that is always needed together is one file.
  expect(signIn.entries.length, JSON.stringify(signIn.entries)).toBeLessThanOrEqual(8);

  await signInForm.enter(demoUsers.doctor, demoPassword);
  await header(page).type('and');
  await header(page).pickFirst();
  await expect(patientPage(page).thumbnails().first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await patientPage(page).openFirstImage();
  const after = await scripts.total();
  // The mount of the first visit is drawn by the viewer; its code loads with the patient page.
  const viewerBytes = after.bytes - signIn.bytes;
  console.log(
    `patient page and viewer: ${(viewerBytes / kilobyte).toFixed(1)} KB of compressed JavaScript beyond sign-in`,
  );
  expect(viewerBytes, JSON.stringify(after.entries)).toBeLessThanOrEqual(447 * kilobyte);
  expect(viewerBytes).toBeGreaterThan(100 * kilobyte);
});
