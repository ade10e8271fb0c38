import { gallery } from '../pages/gallery.ts';
import { keyboard } from '../pages/keyboard.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs, signInPage } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the first Tab reaches the skip link, and every page has landmarks', async ({ page }) => {
  await signInAs(page, 'superAdministrator');
  await expect(page.getByRole('row', { name: /Ljungheden/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row', { name: /Ljungheden/ })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('banner')).toHaveCount(1);
});

test('every kind of control shows its focus', async ({ page }) => {
  test.slow();
  const keys = keyboard(page);
  const dialog = page.getByRole('dialog');
  await signInPage(page).open();
  expect(await keys.showsFocus()).toBeGreaterThan(2);
  await signInAs(page, 'clinicAdministrator', '/');
  await expect(page.getByRole('row', { name: /Östergren/ })).toBeVisible();
  expect(await keys.showsFocus()).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Add user' }).press('Enter');
  await expect(dialog).toBeVisible();
  await keys.showsFocus();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Account and settings' }).press('Enter');
  await expect(dialog).toBeVisible();
  await keys.showsFocus();
  await page.keyboard.press('Escape');
  for (const name of ['Roles', 'Help', 'Import', 'Gallery', 'Patient']) {
    await page.getByRole('banner').getByRole('link', { name, exact: true }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (name === 'Patient') await expect(page.getByRole('row', { name: /Ek, Anders/ })).toBeVisible();
    if (name === 'Gallery') await expect(gallery(page).images.first().locator('img')).toBeVisible();
    await keys.showsFocus();
  }
  await findPatient(page, 'nystrom', 'Nyström');
  await expect(mountPage(page).filled).toHaveCount(2);
  await viewerPage(page).isReady('mount');
  await keys.showsFocus();
});

test('focus returns to the control that moved it', async ({ page }) => {
  const keys = keyboard(page);
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const menu = page.getByRole('menu');
  await signInAs(page, 'superAdministrator');
  const clinic = button('More actions for Tandkliniken Ljungheden');
  await expect(clinic).toBeVisible();
  await keys.comesBack(button('Add clinic'), dialog('Add clinic'));
  await keys.comesBack(clinic, menu);
  await keys.comesBackByMenu(clinic, 'Edit clinic', dialog('Edit clinic'));
  await keys.comesBackByMenu(clinic, 'Delete clinic', dialog(/^Delete /));
  await keys.comesBack(button('Settings'), menu);
  await keys.comesBackByMenu(button('Settings'), 'Azure AD …', dialog(/Azure AD/));
  await keys.comesBackByMenu(button('Settings'), 'About Dentarium …', dialog('About Dentarium'));
  await keys.comesBack(button('Account and settings'), dialog('Account'));
  await keys.comesBack(button('Sign out …'), dialog('Sign out?'));
  await clinic.press('Enter');
  // The menu focuses its first item asynchronously.
  await expect(menu.locator(':focus')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Users of the clinic' }).press('Enter');
  const userMenu = button('More actions for Maja Lindqvist');
  await expect(userMenu).toBeVisible();
  await keys.comesBack(button('Columns'), menu);
  await keys.comesBack(button('Add user'), dialog('Add user'));
  await keys.comesBackByMenu(userMenu, 'Deactivate …', dialog(/^Deactivate/));
  await keys.comesBackByMenu(userMenu, 'Set password …', dialog(/^Set a password/));
  await page.getByRole('banner').getByRole('link', { name: 'Roles' }).press('Enter');
  await keys.comesBack(button('New role'), dialog('New role'));
});
