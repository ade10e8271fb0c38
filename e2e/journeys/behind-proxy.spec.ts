import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import config from '../../playwright.config.ts';
import { freePort } from '../../tests/free-port.ts';
import { findProxy } from '../../tests/server/proxy-program.ts';
import { documentedHost, selfSigned, startRealProxy } from '../../tests/server/real-proxy.ts';
import { newDataFolder, removeDataFolder, startArchive } from '../archive.ts';
import { setUpClinic } from '../new-clinic.ts';

/* What users see of a restart behind Debian's nginx with the documented configuration: the proxy answers 502 meanwhile. */

const { launchOptions } = config.use ?? {};
// A service worker is not installed over a certificate that the browser does not trust.
test.setTimeout(400_000);
test.use({
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP ${documentedHost} 127.0.0.1`,
    ],
  },
});

const isInCharge = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');

test('during a restart behind nginx typed text is preserved, and new pages wait for the server', async ({ page }) => {
  const found = await findProxy('nginx');
  test.skip(typeof found === 'string', String(found));
  if (typeof found === 'string') return;
  const folder = await mkdtemp(path.join(tmpdir(), 'dentarium-proxy-'));
  await mkdir(path.join(folder, 'nginx'));
  const port = await freePort();
  const environment = { DENTARIUM_PUBLIC_URL: `https://${documentedHost}:${port}`, DENTARIUM_TRUST_PROXY: '1' };
  const archive = await startArchive(await newDataFolder(), { args: ['--empty'], environment });
  const proxy = await startRealProxy('nginx', found, {
    folder: path.join(folder, 'nginx'),
    port,
    serverPort: Number(new URL(archive.url).port),
    certificate: selfSigned(folder),
  });
  try {
    await setUpClinic(page, archive);
    await isInCharge(page);
    await page.getByRole('button', { name: 'New patient' }).first().click();
    const form = page.getByRole('dialog', { name: 'New patient' });
    await form.getByLabel('First name').fill('Vera');
    await form.getByLabel('Last name').fill('Avbrott');
    await form.getByLabel('Personal number').fill('199001019802');
    await archive.kill();
    await form.getByRole('button', { name: 'Add patient' }).click();
    // The text of the network when the token had to be renewed first, else that of the form for errors of the server.
    await expect(
      form.getByText(/There is some problem with network|Internal server error, please try later/),
    ).toBeVisible();
    const second = await page.context().newPage();
    await second.goto(`${proxy.url}/patient`);
    await expect(second.getByRole('heading', { name: 'No connection to the archive' })).toBeVisible();
    if (process.env.DENTARIUM_SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.DENTARIUM_SCREENSHOTS}/form.png` });
      await second.screenshot({ path: `${process.env.DENTARIUM_SCREENSHOTS}/page.png` });
    }
    await archive.restart();
    await expect(second.getByRole('heading', { name: 'No connection to the archive' })).toBeHidden();
    await expect(form.getByLabel('Last name')).toHaveValue('Avbrott');
    await form.getByRole('button', { name: 'Add patient' }).click();
    await expect(page).toHaveURL(/\/patient\//);
  } finally {
    await proxy.close();
    await archive.stop();
    await removeDataFolder(archive.dataFolder);
    await rm(folder, { recursive: true, force: true });
  }
});
