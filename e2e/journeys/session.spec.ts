import { changePasswordElsewhere } from '../letters.ts';
import { dialogs } from '../pages/dialogs.ts';
import { drafts } from '../pages/drafts.ts';
import { header } from '../pages/header.ts';
import { mountPage } from '../pages/mount.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { findPatient, visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('who signs out in one tab is signed out in all', async ({ page, context }) => {
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

test('what was being typed when the session ended is offered again', async ({ page, archive }) => {
  await visitPatient(page, 'colleague', 'nystrom', 'Nyström');
  const edit = dialogs(page);
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  const comments = () => edit.dialog('Edit patient').getByLabel('Comments');
  await comments().fill('Överkänslig mot latex');
  const place = page.url();
  await changePasswordElsewhere(archive.url, people.colleague, demoPassword);
  await edit.save('Edit patient');
  await expect(page.getByText('Your sign-in is no longer good')).toBeVisible();

  const entry = signInPage(page);
  await entry.enter(people.colleague, demoPassword);
  await expect(page).toHaveURL(place);
  await drafts(page).isOffered('Freja Nyström');
  await drafts(page).goOn('Freja Nyström');
  await expect(comments()).toHaveValue('Överkänslig mot latex');
  await edit.save('Edit patient');
  await edit.isClosed('Edit patient');
  await expect(edit.panel.getByText('Överkänslig mot latex')).toBeVisible();
  await drafts(page).areNone();
});

test('a server that is away while somebody edits costs nothing', async ({ page, archive }) => {
  await visitPatient(page, 'doctor', 'backstrom', 'Bäckström');
  const mount = mountPage(page);
  await expect(mount.filled).toHaveCount(4);
  const edit = dialogs(page);
  await archive.kill();
  await mount.board.focus();
  await mount.choose(1);
  await mount.press('u');
  await mount.isEmpty(1);
  await drafts(page).isWaiting();
  await archive.restart();
  await drafts(page).isNotWaiting();
  await mount.isEmpty(1);
  await page.reload();
  await expect(mount.filled).toHaveCount(3);
  await expect(mount.trayImages).toHaveCount(1);
  await expect(edit.panel).toBeVisible();
  await findPatient(page, 'nystrom', 'Nyström');
});
