import edit from '../../locales/no/edit.json' with { type: 'json' };
import merge from '../../locales/no/merge.json' with { type: 'json' };
import search from '../../locales/no/search.json' with { type: 'json' };
import { finding } from '../pages/finding.ts';
import { demoPassword, people } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('in Norwegian and by the keyboard alone: found by the end of the number, deleted, taken back, merged', async ({
  page,
}) => {
  const at = finding(page);
  await page.goto('/');
  await at.tabTo(/^Norsk$/);
  await at.press('Enter');
  await expect(page.getByLabel('Passord', { exact: true })).toBeVisible();
  await page.getByLabel('E-post').focus();
  await page.keyboard.type(people.clinicAdministrator);
  await at.press('Tab');
  await page.keyboard.type(demoPassword);
  await at.press('Enter');
  await expect(page).toHaveURL(/\/employeers$/);

  // Found by the last four signs of the personal number, which never stand in an address.
  await at.open('9990', 'Olof Grönvall');
  await at.chooseOfPatient('Olof Grönvall', 'delete-patient');
  await at.confirmDeletion();
  await expect(page).toHaveURL(/\/$/);
  await expect(at.row(/Ek, Anders/)).toBeVisible();
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.press('Control+z');
  await at.said(edit.restored.replace('{{name}}', 'Olof Grönvall'));
  await expect(page).toHaveURL(/\/patient\//);

  // In the list, and from the recycle bin.
  await at.toSearchBox();
  await page.keyboard.type('grönvall');
  await at.press('Enter');
  await expect(page).toHaveURL(/\/\?q=g/);
  await at.chooseOfRow('Olof Grönvall', 'delete-patient');
  await at.confirmDeletion();
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.tabTo(search.all);
  await at.press('ArrowRight');
  await expect(page).toHaveURL(/tab=bin/);
  await expect(at.row(/Grönvall/)).toBeVisible();
  await at.tabTo(search.restore.replace('{{name}}', 'Olof Grönvall'));
  await at.press('Enter');
  await expect(at.row(/Grönvall/)).toBeHidden();
  await at.said(edit.restored.replace('{{name}}', 'Olof Grönvall'));

  // All of the one becomes the other's.
  await at.open('9990', 'Olof Grönvall');
  await at.chooseOfPatient('Olof Grönvall', 'merge-patient');
  await at.mergeInto('mikko', 'Mikko Hämäläinen');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mikko Hämäläinen');
  await at.said(merge.done_one.replace('{{count}}', '1').replace('{{name}}', 'Mikko Hämäläinen'));
});
