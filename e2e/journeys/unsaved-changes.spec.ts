import { dialogs } from '../pages/dialogs.ts';
import { drafts } from '../pages/drafts.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('an unsaved dialog is offered as a draft after back and forward, and closing the tab asks for confirmation', async ({
  page,
}) => {
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  const edit = dialogs(page);
  const comments = edit.dialog('Edit patient').getByLabel('Comments');
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  await comments.fill('Ringer själv');

  await page.goBack();
  await edit.isClosed('Edit patient');
  await drafts(page).isOffered('Freja Nyström');
  await page.goForward();
  await expect(edit.panel).toBeVisible();
  await drafts(page).isOffered('Freja Nyström');
  await page.goBack();
  await drafts(page).resume('Freja Nyström');
  await expect(comments).toHaveValue('Ringer själv');
  await drafts(page).isFilledIn();

  const question = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialogShown = await question;
  expect(dialogShown.type()).toBe('beforeunload');
  await dialogShown.dismiss();
  await expect(comments).toHaveValue('Ringer själv');

  await edit.dialog('Edit patient').getByRole('button', { name: 'Cancel' }).click();
  await edit.dialog('Close without saving?').getByRole('button', { name: 'Discard changes' }).click();
  await edit.isClosed('Edit patient');
  await drafts(page).isHidden();
});
