import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { machines } from '../../tests/machines/models/index.ts';
import { subjectsOf, writeSite } from '../../tests/machines/page/site.ts';

const root = path.join(import.meta.dirname, '..', '..');
const out = mkdtempSync(path.join(tmpdir(), 'machines-'));
const addressOf = (page: string) => pathToFileURL(path.join(out, page)).href;

/** Some machines are enough: the others' pages are made of the same pieces. */
const some = machines.filter(({ id }) => ['bank-id', 'session', 'imports', 'import-study'].includes(id));

test.beforeAll(() => writeSite(root, out, subjectsOf(root, some)));
test.afterAll(() => rmSync(out, { recursive: true }));

const isWithin = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test('the pages about machines open from the disk, and are searched and read by the keyboard alone', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));

  await page.goto(addressOf('index.html'));
  await expect(page.getByRole('heading', { level: 1, name: 'The machines of Dentarium' })).toBeVisible();

  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('collectInterval');
  await expect(page.getByRole('status')).toHaveText('1 hit');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/en\/bank-id\.html#delay-collectInterval$/);
  await expect(page.locator('#delay-collectInterval')).toBeFocused();

  // A state of the drawing leads to where it is told.
  const drawing = page.locator('svg.drawing');
  await drawing.getByRole('link', { name: 'completed' }).focus();
  await expect(drawing).toHaveClass(/seeks/);
  await page.keyboard.press('Enter');
  await expect(page.locator('#state-bank-id-order-completed')).toBeFocused();

  await page.getByRole('link', { name: 'Norsk' }).click();
  await expect(page).toHaveURL(/no\/bank-id\.html#state-bank-id-order-completed$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'nb');

  // A path is opened by its address, and everything stands on paper.
  const number = await page.locator('summary code').first().textContent();
  await page.goto(`${addressOf('no/bank-id.html')}#path-${number}`);
  await expect(page.locator('details').first()).toHaveAttribute('open');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('details').nth(1).getByRole('table')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();

  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(faults).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the pages about machines are for everybody (${colorScheme})`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    for (const name of ['sv/index.html', 'da/session.html', 'no/imports.html']) {
      await page.goto(addressOf(name));
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${name} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['sv/index.html', 'sv/session.html', 'sv/import-study.html']) {
      await page.goto(addressOf(name));
      expect(await isWithin(page), name).toBe(true);
    }
    await context.close();
  });
