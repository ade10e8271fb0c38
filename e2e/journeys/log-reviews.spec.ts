import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { signInAs } from '../pages/sign-in.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a sample of the access log is drawn, reviewed and closed for good', async ({ page }) => {
  const check = accessible(page);
  await visitPatient(page, 'doctor', 'nystrom', 'Nyström');
  await header(page).signOut();
  await signInAs(page, 'clinicAdministrator', '/log');
  await page.getByRole('link', { name: 'Log reviews' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log reviews' })).toBeVisible();
  const plan = page.getByRole('region', { name: 'Plan reviews' });
  await plan.getByLabel('Number of users').fill('20');
  await plan.getByRole('button', { name: 'Draw the sample' }).click();
  await expect(plan.getByRole('status')).toHaveText(/\d+ reviews? planned/);

  const review = page.getByRole('region', { name: 'Reviews', exact: true }).getByRole('listitem').first();
  await expect(review).toContainText('Open, yours');
  const name = (await review.getByRole('heading').textContent()) ?? '';
  await review.getByRole('button', { name: /^Show details/ }).press('Enter');
  await expect(review.getByRole('link', { name: 'Patients opened', exact: true })).toBeVisible();
  await check.isGood('log reviews', { title: /^Log reviews/ });
  await check.fits('log reviews');
  await review.getByRole('link', { name: 'Patients opened', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Access log' }).getByText('Opened the patient').first()).toBeVisible();
  await page.goBack();

  await review.getByRole('button', { name: /^Show details/ }).click();
  await review.getByRole('radio', { name: 'To be followed up' }).check();
  await review.getByLabel('Comment').fill('Ask about the visits');
  await review.getByRole('button', { name: 'Close the review' }).click();
  await expect(page.getByText('The review is closed')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('Closed').click();
  const closed = page.getByRole('listitem').filter({ hasText: name });
  await expect(closed).toContainText('Ask about the visits');
  await expect(closed.getByRole('button', { name: 'Close the review' })).toHaveCount(0);
});
