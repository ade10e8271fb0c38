import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { signInAs } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test('an opened patient is the first of the recent ones, and an opened image no longer waits', {
  tag: '@quick',
}, async ({ page }) => {
  await signInAs(page, 'doctor');
  const row = (name: RegExp) => page.getByRole('row', { name });
  await page.getByRole('tab', { name: 'To do' }).click();
  await expect(row(/Hämäläinen, Mikko/)).toContainText('1 not opened');

  await row(/Hämäläinen, Mikko/).click();
  await expect(page).toHaveURL(/\/patient\//);
  await patientPage(page).openFirstImage();
  // Back to the list by the header, with the keyboard from the tab on.
  await page.getByRole('link', { name: 'Patient', exact: true }).click();
  await page.getByRole('tab', { name: 'To do' }).click();
  await expect(row(/Dahlås, Per-Erik/)).toBeVisible();
  await expect(row(/Hämäläinen, Mikko/)).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Opened by me');
  await expect(page.getByRole('row').nth(1)).toContainText('Hämäläinen, Mikko');

  // Another user of the clinic has opened nothing, and does not wait for the image either.
  await header(page).signOut();
  await signInAs(page, 'colleague');
  await page.getByRole('tab', { name: 'Recent' }).click();
  await expect(page.getByText('You have not opened a patient yet')).toBeVisible();
  await page.getByRole('tab', { name: 'To do' }).click();
  await expect(row(/Dahlås, Per-Erik/)).toBeVisible();
  await expect(row(/Hämäläinen, Mikko/)).toHaveCount(0);
});
