import { accessible } from '../pages/accessible.ts';
import { gallery } from '../pages/gallery.ts';
import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { qualityPage } from '../pages/quality.ts';
import { signInAs } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('an image graded by keyboard is folded away, stays open, stands in the report and comes back', async ({
  page,
}) => {
  test.slow();
  const quality = qualityPage(page);
  await visitPatient(page, 'doctor', 'ljungqvist', 'Ljungqvist');
  const patient = patientPage(page);
  await expect(patient.images()).not.toHaveCount(0);
  const shown = await patient.images().count();
  await patient.openFirstImage();
  const address = page.url();

  await page.keyboard.press('Shift+U');
  await expect(quality.reason('Position')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(quality.status).toContainText('Not acceptable');
  await expect(quality.status).toContainText('Movement');
  await expect(viewerPage(page).viewer.getByText('Not acceptable: Movement')).toBeVisible();

  // Away from the image it is folded, and one click shows it.
  await header(page).type('ljungqvist');
  await header(page).pickFirst();
  await expect(patient.images()).toHaveCount(shown - 1);
  await page.getByRole('button', { name: '1 not acceptable' }).click();
  await expect(patient.images()).toHaveCount(shown);

  await gallery(page).open();
  await gallery(page).button('1 not acceptable').click();
  await expect(page).toHaveURL(/rejected=shown/);

  await header(page).signOut();
  await signInAs(page, 'clinicAdministrator');
  await gallery(page).open();
  await quality.open('2015-01-01', '2035-12-31');
  await expect(quality.report.getByText('0 of 1 acceptable')).toBeVisible();
  await expect(quality.report.getByText('Below the target of 95 %')).toBeVisible();
  const check = accessible(page);
  await check.isGood('image quality', { title: 'Image quality' });
  await check.fits('image quality');

  // The administrator takes the grade back: the image is in the lists again.
  await page.goto(address);
  await expect(quality.status).toContainText('Maja Lindqvist');
  await quality.undo.click();
  await expect(quality.status).toContainText('No grade');
  await expect(quality.status).toContainText('Göran Åkerblom');
  await expect(page.getByRole('button', { name: /not acceptable/ })).toHaveCount(0);
});

test('the old comment of an image stays readable with who and when', async ({ page }) => {
  await visitPatient(page, 'doctor', 'ljungqvist', 'Ljungqvist');
  await patientPage(page).openFirstImage();
  const quality = qualityPage(page);
  for (const comment of ['Moved during exposure', '']) {
    await quality.editImage();
    const dialog = page.getByRole('dialog', { name: 'Edit image' });
    await dialog.getByLabel('Comment').fill(comment);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();
  }
  await page.getByText('Changes', { exact: true }).click();
  const [newest, first] = [quality.changes.nth(0), quality.changes.nth(1)];
  await expect(newest).toContainText(/was Moved during exposure\s*became none\s*Maja Lindqvist/);
  await expect(first).toContainText(/was none\s*became Moved during exposure\s*Maja Lindqvist/);
});
