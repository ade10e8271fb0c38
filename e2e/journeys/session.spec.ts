import { changePasswordElsewhere } from '../emails.ts';
import { dialogs } from '../pages/dialogs.ts';
import { drafts } from '../pages/drafts.ts';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { findPatient, visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('signing out in one tab signs out all tabs', async ({ page, context }) => {
  await signInAs(page, 'doctor');
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await header(page).signOut();
  await expect(other.getByText('You signed out in another tab.')).toBeVisible();
  await signInAs(page, 'doctor');
  await other.goto('/');
  await expect(other.getByRole('button', { name: 'Account and settings' })).toBeVisible();
});

test('text typed when the session ends is offered again', { tag: '@quick' }, async ({ page, archive }) => {
  // The hub also ends revoked sessions, every 15 seconds: then the form would be gone before it is saved.
  await page.route('**/importImageHub/**', (route) => route.abort());
  await visitPatient(page, 'colleague', 'nystrom', 'Nyström');
  const edit = dialogs(page);
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  const comments = () => edit.dialog('Edit patient').getByLabel('Comments');
  await comments().fill('Överkänslig mot latex');
  const address = page.url();
  await changePasswordElsewhere(archive.url, demoUsers.colleague, demoPassword);
  await edit.save('Edit patient');
  await expect(page.getByText('Your password was changed')).toBeVisible();

  const signIn = signInPage(page);
  await signIn.enter(demoUsers.colleague, demoPassword);
  await expect(page).toHaveURL(address);
  await drafts(page).isOffered('Freja Nyström');
  await drafts(page).resume('Freja Nyström');
  await expect(comments()).toHaveValue('Överkänslig mot latex');
  await edit.save('Edit patient');
  await edit.isClosed('Edit patient');
  await expect(edit.panel.getByText('Överkänslig mot latex')).toBeVisible();
  await drafts(page).isHidden();
});

test('an edit survives a server outage', async ({ page, archive }) => {
  await visitPatient(page, 'doctor', 'backstrom', 'Bäckström');
  const mount = mountPage(page);
  await expect(mount.filled).toHaveCount(4);
  const edit = dialogs(page);
  await archive.kill();
  await mount.slots.focus();
  await mount.choose(1);
  await mount.press('u');
  await mount.isEmpty(1);
  await drafts(page).showsUnsentChanges();
  await archive.restart();
  await drafts(page).hidesUnsentChanges();
  await mount.isEmpty(1);
  await page.reload();
  await expect(mount.filled).toHaveCount(3);
  await expect(mount.trayImages).toHaveCount(1);
  await expect(edit.panel).toBeVisible();
  await findPatient(page, 'nystrom', 'Nyström');
});
