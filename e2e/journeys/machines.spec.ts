import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { machines } from '../../tests/machines/models/index.ts';
import { subjectsOf, writeSite } from '../../tools/machine-pages/site.ts';

const root = path.join(import.meta.dirname, '..', '..');
const out = mkdtempSync(path.join(tmpdir(), 'machines-'));
const addressOf = (page: string) => pathToFileURL(path.join(out, page)).href;

/** A few machines suffice: all pages use the same components. */
const some = machines.filter(({ id }) => ['bank-id', 'session', 'imports', 'import-study'].includes(id));

test.beforeAll(() => writeSite(root, out, subjectsOf(root, some)));
test.afterAll(() => rmSync(out, { recursive: true }));

const isWithin = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test('the machine pages open from disk and can be searched and read by keyboard', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));

  await page.goto(addressOf('index.html'));
  await expect(page.getByRole('heading', { level: 1, name: 'State machines of Dentarium' })).toBeVisible();

  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('collectInterval');
  await expect(page.getByRole('status')).toHaveText('1 hit');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/bank-id\.html#delay-collectInterval$/);
  await expect(page.locator('#delay-collectInterval')).toBeFocused();

  // A state in the diagram links to its description.
  const drawing = page.locator('svg.drawing');
  await drawing.getByRole('link', { name: 'completed' }).focus();
  await expect(drawing).toHaveClass(/highlights/);
  await page.keyboard.press('Enter');
  await expect(page.locator('#state-bank-id-order-completed')).toBeFocused();

  // A path opens by its URL, and print shows everything.
  const number = await page.locator('summary code').first().textContent();
  await page.goto(`${addressOf('bank-id.html')}#path-${number}`);
  await expect(page.locator('details').first()).toHaveAttribute('open');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('details').nth(1).getByRole('table')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();

  expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(errors).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the machine pages are accessible (${colorScheme})`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    for (const name of ['index.html', 'session.html', 'imports.html']) {
      await page.goto(addressOf(name));
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${name} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['index.html', 'session.html', 'import-study.html']) {
      await page.goto(addressOf(name));
      expect(await isWithin(page), name).toBe(true);
    }
    await context.close();
  });
