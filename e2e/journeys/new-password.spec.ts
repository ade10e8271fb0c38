import { changePasswordElsewhere, linkByLetter } from '../letters.ts';
import { header } from '../pages/header.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const newPassword = 'Ny-vinter-2026!';

test('a new password by letter: the link is good once, and who was signed in elsewhere is not any more', async ({
  page,
  browser,
  archive,
  baseURL,
}) => {
  const elsewhere = await browser.newPage({ baseURL: baseURL ?? '' });
  await signInAs(elsewhere, 'doctorElsewhere');

  const entry = signInPage(page);
  await entry.open();
  const link = await linkByLetter(archive.url, () => entry.forgot(people.doctorElsewhere));
  await page.goto(link);
  await expect(page).toHaveURL(/\/authorization\/newpassword$/);
  await entry.chooseNewPassword('kort');
  await entry.says('The password lacks something');
  await entry.chooseNewPassword(newPassword, `${newPassword}!`);
  await entry.says('Entered passwords must match');
  await entry.chooseNewPassword(newPassword);
  await entry.newPasswordIsSaved();

  await page.goto(link);
  await entry.chooseNewPassword('En-annan-2026!');
  await entry.linkIsExpired();

  await entry.open();
  await entry.enter(people.doctorElsewhere, demoPassword);
  await entry.isRefused();
  await entry.enter(people.doctorElsewhere, newPassword);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

  await header(elsewhere).type('and');
  await expect(elsewhere.getByText('Your sign-in is no longer good')).toBeVisible();
  await elsewhere.close();
  await changePasswordElsewhere(archive.url, people.doctorElsewhere, demoPassword);
});
