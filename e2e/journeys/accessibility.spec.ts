import type { Locator, Page } from '@playwright/test';
import { offered } from '../offered-files.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { dialogs } from '../pages/dialogs.ts';
import { gallery } from '../pages/gallery.ts';
import { header } from '../pages/header.ts';
import { importPage } from '../pages/import-page.ts';
import { importTray } from '../pages/import-tray.ts';
import { mountPage } from '../pages/mount.ts';
import { signInAs } from '../pages/sign-in.ts';
import { toothHistory } from '../pages/tooth-history.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

/** Reduced motion, so that checked pages are stable. */
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const heading = (page: Page, name: string | RegExp, level = 1) => page.getByRole('heading', { level, name });
const settings = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Settings', exact: true });

/** Checks a dialog or menu and closes it with Escape; an open list in it is closed first. */
const closedByEscape =
  (page: Page, check: ReturnType<typeof accessible>) =>
  async (name: string, shown: Locator, fits = false) => {
    await expect(shown).toBeVisible();
    await expect(shown.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0);
    await check.isGoodOver(name);
    if (fits) await check.fits(name);
    await expect(async () => {
      if (await shown.isVisible()) await page.keyboard.press('Escape');
      await expect(shown).toBeHidden({ timeout: 2_000 });
    }).toPass();
  };

test('the pages of administrators', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  const admin = administration(page);
  const over = closedByEscape(page, check);
  const open = (button: string | RegExp) =>
    page.getByRole('main').getByRole('button', { name: button }).first().click();

  await signInAs(page, 'superAdministrator');
  await expect(admin.row(/Ljungheden/)).toBeVisible();
  await expect(page.locator('.recharts-surface').first()).toBeVisible();
  await check.isGood('clinics', { title: 'Clinics' });
  await check.fits('clinics');
  await open('Add clinic');
  await over('add clinic', dialog(page, 'Add clinic'), true);
  await page.getByRole('button', { name: 'More actions for Tandkliniken Ljungheden' }).click();
  await over('menu of a clinic', page.getByRole('menu'));
  await admin.menu('Tandkliniken Ljungheden', 'Delete clinic');
  await over('delete clinic', dialog(page, /^Delete /), true);
  await page.getByRole('main').getByText('List', { exact: true }).click();
  await admin.row(/Ljungheden/).click();
  await expect(heading(page, /Ljungheden/, 2)).toBeVisible();
  await check.isGood('clinics beside a card', { title: 'Clinics' });
  await check.fits('clinics beside a card');
  await page.getByRole('main').getByText('Table', { exact: true }).click();

  await admin.openUsers('Tandkliniken Ljungheden');
  await expect(admin.row(/Lindqvist/)).toBeVisible();
  await check.isGood('users', { title: 'Users of Tandkliniken Ljungheden' });
  await check.fits('users');
  await open('Columns');
  await over('columns', page.getByRole('menu'));
  await open('Add user');
  await over('add user', dialog(page, 'Add user'), true);
  for (const [item, name] of [
    ['Set password …', /^Set a password/],
    ['Link for a new password …', /^Create a link for a new password/],
    ['Deactivate …', /^Deactivate/],
    ['Move to another clinic …', /^Move/],
    ['Delete …', /^Delete/],
  ] as const) {
    await admin.menu('Maja Lindqvist', item);
    await over(item, dialog(page, name));
  }
  await header(page).chooseSetting('System administrators');
  await expect(admin.row(/Norrsken/)).toBeVisible();
  await check.isGood('system administrators', { title: 'System administrators' });
  await check.fits('system administrators');

  await admin.openRoles();
  await expect(admin.right('Delete studies')).toBeVisible();
  await check.isGood('roles', { title: 'Roles' });
  await check.fits('roles');
  await page.getByRole('tab', { name: 'See as' }).click();
  await expect(page.getByRole('tabpanel', { name: 'See as' })).toBeVisible();
  await check.isGood('roles, see as', { title: 'Roles' });
  await check.fits('roles, see as');
  await open('New role');
  await over('new role', dialog(page, 'New role'), true);

  await header(page).chooseSetting('Access log');
  await expect(page.getByRole('row', { name: /Norrsken/ }).first()).toBeVisible();
  await check.isGood('log', { title: 'Access log' });
  await check.fits('log');

  await header(page).chooseSetting('System status');
  await expect(heading(page, 'System status')).toBeVisible();
  await expect(heading(page, 'Parts of the installation', 2)).toBeVisible();
  await check.isGood('system status', { title: 'System status' });
  await check.fits('system status');

  await header(page).chooseSetting('Azure AD …');
  await over('Azure', dialog(page, /Azure AD/), true);
  await header(page).chooseSetting('About Dentarium …');
  await dialog(page, 'About Dentarium').getByRole('button', { name: 'Show the licences' }).click();
  await expect(dialog(page, 'About Dentarium').getByRole('textbox', { name: 'Search packages' })).toBeVisible();
  await over('about', dialog(page, 'About Dentarium'), true);
  await settings(page).click();
  await over('settings', page.getByRole('menu'));
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await over('account', dialog(page, 'Account'), true);

  await page.goto('/404');
  await expect(heading(page, 'Page not found')).toBeVisible();
  await check.isGood('not found', { title: 'Page not found' });
  await check.fits('not found');
});

test('the pages of a clinic', async ({ page, context }) => {
  test.slow();
  const check = accessible(page);
  const over = closedByEscape(page, check);
  const main = page.getByRole('main');
  const button = (name: string | RegExp) => main.getByRole('button', { name }).first();

  await signInAs(page, 'clinicAdministrator', '/');
  await page.getByRole('banner').getByRole('link', { name: 'Patient', exact: true }).click();
  await expect(page.getByRole('row', { name: /Ek, Anders/ })).toBeVisible();
  await check.isGood('search', { title: 'Patients' });
  await check.fits('search');
  await button('Open calendar').click();
  await over('calendar', dialog(page, 'From'), true);
  await button('New patient').click();
  await over('new patient', dialog(page, 'New patient'));
  await button(/^More actions for Anders Ek/).click();
  await page.getByRole('menuitem', { name: 'Move all studies' }).click();
  const merge = dialog(page, /^Move all studies/);
  await expect(merge).toBeVisible();
  await check.isGoodOver('merge');
  await merge.getByLabel('Find the other patient').fill('mikko');
  await expect(page.getByRole('option', { name: /Hämäläinen/ })).toBeVisible();
  await check.isGoodOver('hits of a merge');
  await page.getByRole('option', { name: /Hämäläinen/ }).click();
  await expect(merge.getByRole('checkbox')).toBeFocused();
  await over('preview of a merge', merge, true);
  await main.getByText('Studies', { exact: true }).first().click();
  await expect(page.getByRole('row', { name: /Bitewing/ }).first()).toBeVisible();
  await check.isGood('studies', { title: 'Studies' });
  await main.getByRole('tab', { name: 'Recycle bin' }).click();
  await expect(page.getByText('The recycle bin is empty')).toBeVisible();
  await check.isGood('recycle bin', { title: /^Deleted (patients|studies) · Dentarium$/ });
  await check.fits('recycle bin');
  await main.getByText('Series, images, mounts', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Deleted series, images and mounts' })).toBeVisible();
  await check.isGood('recycle bin, contents', { title: /^Deleted series/ });
  await check.fits('recycle bin, contents');
  await header(page).type('zzz');
  await expect(page.getByText(/^No patient matches/).first()).toBeVisible();
  await check.isGoodOver('nothing found in the search box');
  await header(page).type('and');
  await expect(header(page).hits().first()).toBeVisible();
  await check.isGoodOver('hits of the search box');
  await header(page).press('Escape');

  await findPatient(page, 'nystrom', 'Nyström');
  const mount = mountPage(page);
  const edit = dialogs(page);
  await expect(mount.filled).toHaveCount(2);
  await viewerPage(page).isReady('mount');
  await check.isGood('patient, mount', { title: 'Patient' });
  const history = toothHistory(page);
  await history.chart.click();
  await over('chart of the tooth history', page.getByRole('dialog', { name: 'Tooth history' }));
  await history.choose(36);
  await check.isGood('patient, tooth history', { title: 'Patient' });
  await check.fits('patient, tooth history');
  await history.strip.getByRole('button', { name: 'Close the tooth history' }).click();
  for (const [menu, item] of [
    ['Freja Nyström', 'Edit patient'],
    [/^More actions for \d{4}-\d\d-\d\d Bitewing/, 'Edit study'],
    [/^More actions for \d{4}-\d\d-\d\d Bitewing/, 'New mount'],
    [/^More actions for \d{4}-\d\d-\d\d Bitewing/, 'Delete study'],
  ] as const) {
    await edit.openMenu(menu);
    await edit.choose(item);
    await over(item, dialog(page, item));
  }
  await edit.openImageMenu(0);
  await check.isGoodOver('menu of an image');
  await edit.choose('Edit image');
  await over('edit image', dialog(page, 'Edit image'));
  await edit.imageLinks.first().click();
  await viewerPage(page).isReady();
  await viewerPage(page).isDrawn();
  await check.isGood('patient, image', { title: 'Patient' });
  await page.keyboard.press('?');
  await over('keys', viewerPage(page).shortcuts);
  await edit.openMenu('Freja Nyström');
  await edit.choose('Who has accessed this?');
  await expect(heading(page, /Freja Nyström/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Göran Åkerblom/ }).first()).toBeVisible();
  await check.isGood('log of a patient', { title: 'Access log' });
  await check.fits('log of a patient');

  const wall = gallery(page);
  await wall.open();
  await check.isGood('gallery', { title: 'Images' });
  await main.getByText('Table', { exact: true }).click();
  await expect(page.getByRole('row', { name: /Bitewing/ }).first()).toBeVisible();
  await check.isGood('gallery, table', { title: 'Images' });
  await main.getByText('Grid', { exact: true }).click();

  await page.getByRole('banner').getByRole('link', { name: 'Import' }).click();
  await importPage(page).isOpen();
  await check.isGood('import', { title: 'Import' });
  await importTray(page).drop(await offered(['io-12bit', 'broken']));
  await expect(importTray(page).rows().first()).toHaveAttribute('data-outcome', 'needs-decision');
  await expect(main.locator('li[data-study]').first()).toBeVisible();
  await check.isGood('import, to decide', { title: 'Import' });
  await check.fits('import, to decide');

  await page.getByRole('banner').getByRole('link', { name: 'Help' }).click();
  await expect(heading(page, 'Help')).toBeVisible();
  await check.isGood('help', { title: 'Help' });
  await check.fits('help');

  await page.goto('/sa');
  await expect(heading(page, 'You have no access to this page')).toBeVisible();
  await check.isGood('denied', { title: 'You have no access to this page' });
  await check.fits('denied');

  await context.setOffline(true);
  await page.getByRole('banner').getByRole('link', { name: 'Patient', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await check.isGood('offline', { title: 'Patients' });
  await context.setOffline(false);
});
