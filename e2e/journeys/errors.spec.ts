import type { WebSocketRoute } from '@playwright/test';
import { gallery } from '../pages/gallery.ts';
import { signInAs } from '../pages/sign-in.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const network = 'There is some problem with network. Please check your connection and proxy settings';

test('a network failure is shown, the shell stays, and the requested page opens when the network is back', async ({
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

test('replies with 500 are reported and retried, and 401 renews the token silently', async ({ page }) => {
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
  // Placeholder rows count too: first the token renewal, then a patient.
  await expect.poll(() => renewals).toBe(1);
  await expect(page.getByRole('row', { name: /Ek, Anders/ }).first()).toBeVisible();
  expect(renewals).toBe(1);
  await expect(page.getByRole('alert')).toHaveCount(0);

  const images = '**/resource/image/search';
  await page.route(images, (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }));
  await page.getByRole('link', { name: 'Gallery', exact: true }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The data library cannot be loaded or is not found');
  await expect(alert).toContainText('There is some problem with remote server. Try again later');
  await page.unroute(images);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(gallery(page).images.first()).toBeVisible();
});

test('a thumbnail that fails to load is reported in its place', async ({ page }) => {
  await page.route('**/resource/thumbnail?**', (route) => route.abort());
  await signInAs(page, 'doctor');
  await findPatient(page, 'nystrom', 'Nyström');
  const failed = page.getByRole('img', { name: 'Error while generate thumbnail' });
  await expect(failed.first()).toBeVisible();
});

test('after loss of the hub connection, imports wait and say so until it is back', async ({ page }) => {
  const open: WebSocketRoute[] = [];
  let isDown = false;
  await page.routeWebSocket(/importImageHub/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    open.push(socket);
  });
  // Never removed: a call that is held while a route is removed may not be answered at all.
  await page.route('**/importImageHub/**', (route) => (isDown ? route.abort() : route.continue()));
  await signInAs(page, 'doctor');
  const importing = page.getByRole('banner').getByRole('link', { name: 'Import', exact: true });
  await expect(importing).toBeVisible();
  isDown = true;
  for (const socket of open) await socket.close();
  const waits = page
    .getByRole('banner')
    .getByRole('button', { name: 'Import is not available: no live connection to the archive' });
  await expect(waits).toBeDisabled();
  isDown = false;
  await expect(importing).toBeVisible();
});
