import type { Page } from '@playwright/test';
import { dialogs } from '../pages/dialogs.ts';
import { mountPage } from '../pages/mount.ts';
import { viewerPage } from '../pages/viewer.ts';
import { findPatient, visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const openTwo = async (page: Page) => {
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  await expect(mountPage(page).filled).toHaveCount(2);
  return { edit: dialogs(page), mount: mountPage(page) };
};

test('patient: a duplicate number is rejected at its field, a valid comment is saved', { tag: '@quick' }, async ({
  page,
}) => {
  // The number of another patient, from its card.
  await visitPatient(page, 'doctor', 'hedlund', 'Hedlund');
  const taken = await dialogs(page).panel.getByTitle('Personal number').innerText();
  await findPatient(page, 'nystrom', 'Nyström');
  const edit = dialogs(page);
  const own = await edit.panel.getByTitle('Personal number').innerText();
  await edit.openMenu('Freja Nyström');
  await edit.choose('Edit patient');
  const form = edit.dialog('Edit patient');
  const number = form.getByLabel('Personal number');
  await number.fill(taken);
  await form.getByLabel('Comments').fill('Kallas åter till hösten');
  await edit.save('Edit patient');
  await expect(form.getByText('The clinic already has a patient with this personal number')).toBeVisible();
  await expect(number).toBeFocused();
  await expect(number).toHaveAttribute('aria-invalid', 'true');

  await number.fill(own);
  await edit.save('Edit patient');
  await edit.isClosed('Edit patient');
  await expect(edit.panel.getByText('Kallas åter till hösten')).toBeVisible();
  await page.reload();
  await expect(edit.panel.getByText('Kallas åter till hösten')).toBeVisible();
  await expect(edit.panel.getByTitle('Personal number')).toHaveText(own);
});

test('study: a changed name and date appear everywhere', async ({ page }) => {
  const { edit } = await openTwo(page);
  await edit.openMenu(/^More actions for \d{4}-\d\d-\d\d Bitewing/);
  await edit.choose('Edit study');
  const form = edit.dialog('Edit study');
  await form.getByLabel('Description').fill('Kontroll före ortodonti');
  await form.getByLabel('Study date').fill('2025-13-40');
  await edit.save('Edit study');
  await expect(form.getByLabel('Study date')).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Study date').fill('2025-02-14');
  await edit.save('Edit study');
  await edit.isClosed('Edit study');
  const heading = edit.panel.getByRole('heading', { level: 2 });
  await expect(heading).toContainText('Kontroll före ortodonti');
  await page.reload();
  await expect(heading).toContainText('Kontroll före ortodonti');
  await expect(heading).toContainText('2025-02-14');
});

test('image: teeth set by the user appear in the list, at the slot and in the panel', async ({ page }) => {
  const { edit, mount } = await openTwo(page);
  await edit.openImageMenu(0);
  await edit.choose('Edit image');
  const form = edit.dialog('Edit image');
  await form.getByText('Set here', { exact: true }).click();
  const chosen = form.getByRole('button', { name: /^Tooth /, pressed: true });
  for (let left = await chosen.count(); left > 0; left -= 1) {
    await chosen.first().click();
    await expect(chosen).toHaveCount(left - 1);
  }
  await form.getByRole('button', { name: 'Tooth 24', exact: true }).click();
  await form.getByRole('button', { name: 'Tooth 25', exact: true }).click();
  await edit.save('Edit image');
  await edit.isClosed('Edit image');
  await expect(edit.panel.getByRole('link', { name: /^Open .*24.*25/ })).toHaveCount(1);
  await expect(mount.slots.getByRole('option', { name: /teeth .*24.*25/ })).toHaveCount(1);
  await page.reload();
  await expect(mount.slots.getByRole('option', { name: /teeth .*24.*25/ })).toHaveCount(1);
});

test('a deleted image disappears from the list and its slot, and Undo restores it', async ({ page }) => {
  const { edit, mount } = await openTwo(page);
  await expect(edit.imageLinks).toHaveCount(2);
  await edit.openImageMenu(0);
  await edit.choose('Delete image');
  await edit.dialog('Delete image').getByRole('button', { name: 'Delete', exact: true }).click();
  await edit.isClosed('Delete image');
  await expect(edit.imageLinks).toHaveCount(1);
  await expect(mount.filled).toHaveCount(1);
  await edit.undo();
  await expect(page.getByText(/is restored$/)).toBeVisible();
  await expect(edit.imageLinks).toHaveCount(2);
  await expect(mount.filled).toHaveCount(2);
  await page.reload();
  await expect(mount.filled).toHaveCount(2);
  await viewerPage(page).isReady('mount');
});

test('new mounts from a template and a custom layout; actions a doctor lacks show the reason', async ({ page }) => {
  await visitPatient(page, 'doctor', 'ljungqvist', 'Ljungqvist');
  const edit = dialogs(page);
  const mount = mountPage(page);
  await expect(mount.filled).toHaveCount(2);
  const study = /^More actions for \d{4}-\d\d-\d\d Bitewing/;

  await edit.openMenu(study);
  await edit.choose('New mount');
  const form = edit.dialog('New mount');
  const templates = form.getByRole('radio', { name: /slots?$/ });
  await expect(templates.first()).toBeVisible();
  await form.getByLabel('Find a template').fill('14');
  await templates.first().click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Helstatus till hösten');
  await form.getByRole('button', { name: 'Create mount' }).click();
  await edit.isClosed('New mount');
  await expect(mount.slots).toHaveAccessibleName('Slots of Helstatus till hösten');
  await expect(mount.slots.getByRole('option')).toHaveCount(14);
  await expect(mount.filled).toHaveCount(0);

  await edit.openMenu(study);
  await edit.choose('New mount');
  await form.getByText('Custom layout', { exact: true }).click();
  await form.getByLabel('Rows').fill('2');
  await form.getByLabel('Columns').fill('3');
  await expect(form.getByRole('figure', { name: '2 × 3, 6 slots' })).toBeVisible();
  const saveAsTemplate = form.getByRole('checkbox', { name: 'Save as a template for the clinic' });
  await expect(saveAsTemplate).toBeDisabled();
  await expect(form.getByText('You have no rights to do this')).toBeVisible();
  await form.getByRole('button', { name: 'Create mount' }).click();
  await edit.isClosed('New mount');
  await expect(mount.slots).toHaveAccessibleName('Slots of Custom 2 × 3');
  await expect(mount.slots.getByRole('option')).toHaveCount(6);
  await page.reload();
  await expect(mount.slots.getByRole('option')).toHaveCount(6);
  await expect(edit.panel.getByRole('link', { name: /^Mount / })).toHaveCount(3);
});
