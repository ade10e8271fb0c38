import edit from '../../locales/no/edit.json' with { type: 'json' };
import merge from '../../locales/no/merge.json' with { type: 'json' };
import search from '../../locales/no/search.json' with { type: 'json' };
import { patientSearch } from '../pages/patient-search.ts';
import { demoPassword, demoUsers } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('Norwegian, keyboard only: search by the end of the number, delete, restore, merge', { tag: '@quick' }, async ({
  page,
}) => {
  const at = patientSearch(page);
  await page.goto('/');
  await at.tabTo(/^Norsk$/);
  await at.press('Enter');
  await expect(page.getByLabel('Passord', { exact: true })).toBeVisible();
  await page.getByLabel('E-post').focus();
  await page.keyboard.type(demoUsers.clinicAdministrator);
  await at.press('Tab');
  await page.keyboard.type(demoPassword);
  await at.press('Enter');
  await expect(page).toHaveURL(/\/employeers$/);

  // Search by the last four digits of the personal number, which must not appear in a URL.
  await at.open('9990', 'Olof Grönvall');
  await at.chooseOfPatient('Olof Grönvall', 'delete-patient');
  await at.confirmDeletion();
  await expect(page).toHaveURL(/\/$/);
  await expect(at.row(/Ek, Anders/)).toBeVisible();
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.press('Control+z');
  await at.showsToast(edit.restored.replace('{{name}}', 'Olof Grönvall'));
  await expect(page).toHaveURL(/\/patient\//);

  // From the list, and from the recycle bin.
  await at.toSearchBox();
  await page.keyboard.type('grönvall');
  await at.press('Enter');
  await expect(page).toHaveURL(/\/\?q=g/);
  await at.chooseOfRow('Olof Grönvall', 'delete-patient');
  await at.confirmDeletion();
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.tabTo(search.all);
  await at.press('End');
  await at.press('Enter');
  await expect(page).toHaveURL(/tab=bin/);
  await expect(at.row(/Grönvall/)).toBeVisible();
  await at.tabTo(search.restore.replace('{{name}}', 'Olof Grönvall'));
  await at.press('Enter');
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.showsToast(edit.restored.replace('{{name}}', 'Olof Grönvall'));

  // Everything of one patient moves to the other.
  await at.open('9990', 'Olof Grönvall');
  await at.chooseOfPatient('Olof Grönvall', 'merge-patient');
  await at.mergeInto('mikko', 'Mikko Hämäläinen');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mikko Hämäläinen');
  await at.showsToast(merge.done_one.replace('{{count}}', '1').replace('{{name}}', 'Mikko Hämäläinen'));
});
