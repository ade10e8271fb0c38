import { destructionPropose } from '../../contract/destruction.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import type { BodyOf, Route } from '../../contract/route.ts';
import { accessible } from '../pages/accessible.ts';
import { administration } from '../pages/administration.ts';
import { header } from '../pages/header.ts';
import { demoUsers, signInAs, tokensFor } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const clinic = 'Öresunds Tandvård';
const reference = 'IVO 3.2.1-4711/2026';

test('destroying a patient takes two administrators, and is revoked within its term', async ({ page }) => {
  test.slow();
  const check = accessible(page);
  const { tokens } = await tokensFor(page, demoUsers.clinicAdministratorElsewhere);
  const call = async <R extends Route>(route: R, data: BodyOf<R>) => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const reply = await page.request.post(route.path, { headers, data });
    expect(reply.status()).toBe(200);
    return reply.json();
  };
  await signInAs(page, 'superAdministrator', '/customers');
  await administration(page).openUsers(clinic);
  const customerId = /customers\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  const found = await call(patientSearchPrivate, { customerId, q: 'Nørby', page: 1, ppage: 10 });
  const { id } = found.data[0];
  const order = { customerId, kind: 'patient', subjectId: id, basis: 'authority', reference, reason: 'Fel person' };
  await call(destructionPropose, order as BodyOf<typeof destructionPropose>);

  await page.goto('/customers');
  await page.getByRole('button', { name: `More actions for ${clinic}` }).click();
  await page.getByRole('menuitem', { name: 'Open the clinic' }).click();
  await header(page).chooseSetting('Retention and destruction');
  const orders = page.getByRole('region', { name: 'Orders to destroy' }).getByRole('listitem');
  const ours = orders.filter({ hasText: 'Malin Nørby' });
  await expect(ours).toContainText('Proposed');
  await check.isGood('retention', { title: /^Retention and destruction/ });
  await check.fits('retention');
  await ours.getByRole('button', { name: 'Approve …' }).click();
  const approval = page.getByRole('dialog', { name: 'Approve destruction' });
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(approval.getByText('This is not the reference number of the order')).toBeVisible();
  await check.isGoodOver('approval of a destruction');
  await check.fits('approval of a destruction');
  await approval.getByLabel('Type the reference number to confirm').fill(reference);
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(approval).toBeHidden();
  await expect(ours).toContainText('Can be revoked until');
  await ours.getByRole('button', { name: 'Revoke' }).click();
  await expect(ours).toContainText('Revoked');
});
