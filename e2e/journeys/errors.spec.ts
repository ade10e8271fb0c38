import type { WebSocketRoute } from '@playwright/test';
import { gallery } from '../pages/gallery.ts';
import { signInAs } from '../pages/sign-in.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const network = 'There is some problem with network. Please check your connection and proxy settings';

test('the network is cut: the page says so, the shell stays, and what was wanted opens by itself', async ({
  page,
  context,
}) => {
  await signInAs(page, 'doctor');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Gallery', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: network })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await context.setOffline(false);
  await expect(gallery(page).images.first()).toBeVisible();
  await expect(page.getByText(network)).toBeHidden();
});

test('the archive answers 500 and 401: told in words and tried again, and the token renewed in silence', async ({
  page,
}) => {
  const search = '**/resource/patient/search';
  const problem = (status: number, code: string) => ({ status, json: { code } });
  await page.route(search, (route) => route.fulfill(problem(500, 'internal')));
  await signInAs(page, 'doctor');
  await expect(page.getByRole('alert').filter({ hasText: 'Internal server error, please try later' })).toBeVisible();
  await page.unroute(search);

  let renewals = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/connect/token')) renewals += 1;
  });
  await page.route(search, (route) => route.fulfill(problem(401, 'not-signed-in')), { times: 1 });
  await page.getByRole('button', { name: 'Try again' }).click();
  // Rows that are awaited stand in the list too: the renewal first, then a patient.
  await expect.poll(() => renewals).toBe(1);
  await expect(page.getByRole('row', { name: /Ek, Anders/ }).first()).toBeVisible();
  expect(renewals).toBe(1);
  await expect(page.getByRole('alert')).toHaveCount(0);

  const images = '**/resource/image/search';
  await page.route(images, (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }));
  await page.getByRole('link', { name: 'Gallery', exact: true }).click();
  const told = page.getByRole('alert');
  await expect(told).toContainText('The data library cannot be loaded or is not found');
  await expect(told).toContainText('There is some problem with remote server. Try again later');
  await page.unroute(images);
  await told.getByRole('button', { name: 'Try again' }).click();
  await expect(gallery(page).images.first()).toBeVisible();
});

test('a thumbnail that cannot be had is said to be so in its place', async ({ page }) => {
  await page.route('**/resource/thumbnail?**', (route) => route.abort());
  await signInAs(page, 'doctor');
  await findPatient(page, 'nystrom', 'Nyström');
  const failed = page.getByRole('img', { name: 'Error while generate thumbnail' });
  await expect(failed.first()).toBeVisible();
});

test('the hub is lost: importing waits and says so, until the hub is there again', async ({ page }) => {
  const open: WebSocketRoute[] = [];
  let isDown = false;
  await page.routeWebSocket(/importImageHub/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    open.push(socket);
  });
  await signInAs(page, 'doctor');
  const importing = page.getByRole('banner').getByRole('link', { name: 'Import', exact: true });
  await expect(importing).toBeVisible();
  isDown = true;
  const negotiation = '**/importImageHub/**';
  await page.route(negotiation, (route) => route.abort());
  for (const socket of open) await socket.close();
  const waits = page
    .getByRole('banner')
    .getByRole('button', { name: 'Import waits: no live connection to the archive' });
  await expect(waits).toBeDisabled();
  isDown = false;
  await page.unroute(negotiation);
  await expect(importing).toBeVisible();
});
