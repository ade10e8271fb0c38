import { dialogs } from '../pages/dialogs.ts';
import { drafts } from '../pages/drafts.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('who leaves a dialog that is not saved loses nothing: offered after back and forward, asked about before the tab goes', async ({
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
  await drafts(page).goOn('Freja Nyström');
  await expect(comments).toHaveValue('Ringer själv');
  await drafts(page).isFilledIn();

  const question = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const asked = await question;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();
  await expect(comments).toHaveValue('Ringer själv');

  await edit.dialog('Edit patient').getByRole('button', { name: 'Cancel' }).click();
  await edit.dialog('Close without saving?').getByRole('button', { name: 'Discard changes' }).click();
  await edit.isClosed('Edit patient');
  await drafts(page).areNone();
});
