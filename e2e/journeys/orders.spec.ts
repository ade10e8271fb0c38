import { accessible } from '../pages/accessible.ts';
import { dialogs } from '../pages/dialogs.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a dentist orders images by keyboard, sees the order, and cancels it', async ({ page }) => {
  const check = accessible(page);
  await visitPatient(page, 'doctor', 'wåhlin', 'Wåhlin');
  const { openMenu, choose } = dialogs(page);
  await openMenu(await page.getByRole('heading', { level: 1 }).innerText());
  await choose('Order images …');
  const dialog = page.getByRole('dialog', { name: 'Order images' });
  await expect(dialog.getByRole('textbox', { name: /^Procedure/ })).toBeFocused();
  await check.isGoodOver('ordering images');
  await check.fits('ordering images');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('2 to 64 characters, no backslash')).toBeVisible();
  await page.keyboard.type('Panorama before surgery');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(/^Ordered\. Accession number D\d{6}[0-9A-Z]{6}\.$/);
  const order = dialog.getByRole('listitem').filter({ hasText: 'Panorama before surgery' }).first();
  await expect(order.getByText('Scheduled', { exact: true })).toBeVisible();
  await check.isGoodOver('an order');
  await check.fits('an order');
  await order.getByRole('button', { name: 'Cancel order Panorama before surgery' }).press('Enter');
  await check.isGoodOver('cancelling an order');
  await order.getByRole('button', { name: 'Cancel order', exact: true }).press('Enter');
  await expect(order.getByText('Cancelled', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
