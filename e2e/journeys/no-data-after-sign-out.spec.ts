import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoClinic } from '../../demo/clinic.ts';
import { gallery } from '../pages/gallery.ts';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** Patient data that must not be stored: last names that are no part of other words, and personal numbers with and without hyphen. */
const traces = (): string[] =>
  demoClinic('2026-01-01').patients.flatMap(({ lastName, personalNumber }) => [
    ...(lastName.length > 5 ? [lastName] : []),
    personalNumber,
    personalNumber.slice(2),
    `${personalNumber.slice(0, 8)}-${personalNumber.slice(8)}`,
  ]);

const encodings = ['utf8', 'utf16le', 'latin1'] as const;

/** Returns `name: text` for each text found in the profile's files, in any encoding that Chromium writes. */
const found = async (profile: string, texts: readonly string[]): Promise<string[]> => {
  const files = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const hits: string[] = [];
  for (const file of files) {
    const filePath = path.join(file.parentPath, file.name);
    const bytes = await readFile(filePath);
    for (const text of texts)
      if (encodings.some((encoding) => bytes.includes(Buffer.from(text, encoding))))
        hits.push(`${path.relative(profile, filePath)}: ${text}`);
  }
  return hits;
};

// A trace reads the body of a navigation preload, on which Chromium 156 crashes.
test.use({ trace: 'off' });

test('no patient data remains in the browser profile after sign-out', async ({
  playwright,
  launchOptions,
  archive,
}) => {
  test.slow();
  const profile = await mkdtemp(path.join(tmpdir(), 'dentarium-profile-'));
  const cache = path.join(profile, 'Default', 'Cache');
  const launch = () =>
    playwright.chromium.launchPersistentContext(profile, {
      ...launchOptions,
      baseURL: archive.url,
      // Uncompressed, so that a cache can be searched.
      extraHTTPHeaders: { 'accept-encoding': 'identity' },
    });
  /** URL prefixes of cached calls, thumbnails and images. */
  const calls = ['/resource/', '/api/', '/connect/'].map((prefix) => `${archive.url}${prefix}`);
  // Chromium makes an entry before it reads `no-store`; one that is deleted while the browser exits has the address of a call.
  const cachedCalls = async () => (await found(cache, calls)).filter((hit) => !/todelete_/.test(hit));
  const isCaching = async () => (await found(cache, ['dentarium.preferences'])).length > 0;

  const context = await launch();
  const page = await context.newPage();
  await signInAs(page, 'doctor');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await findPatient(page, 'hakansson', 'Håkansson');
  await page.getByRole('link', { name: /^Mount Bitewing 4/ }).click();
  const [mount, viewer] = [mountPage(page), viewerPage(page)];
  await expect(mount.filled).toHaveCount(4);
  await mount.choose(1);
  await mount.press('Enter');
  await viewer.isReady();
  const wall = gallery(page);
  await wall.open();
  await wall.images.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient\/.+image=/);
  await header(page).type('lindgard');
  await expect(header(page).hits().first()).toContainText('Lindgård');
  const address = page.url();
  await context.close();

  // Nothing is cached during the session either: a browser may exit without a sign-out.
  expect(await isCaching()).toBe(true);
  expect(await found(cache, traces())).toEqual([]);
  expect(await cachedCalls()).toEqual([]);

  const again = await launch();
  const next = await again.newPage();
  await next.goto(address);
  await expect(next.getByRole('heading', { level: 1 })).not.toBeEmpty();
  await header(next).signOut();
  // Neither history nor the back/forward cache shows a patient.
  for (const leave of [() => next.goto(address), () => next.goto('about:blank')]) {
    await leave();
    await next.goBack();
    await expect(next.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible();
  }
  await again.close();
  expect(await isCaching()).toBe(true);
  expect(await found(profile, traces())).toEqual([]);
  expect(await cachedCalls()).toEqual([]);
  await rm(profile, { recursive: true, force: true });
});
