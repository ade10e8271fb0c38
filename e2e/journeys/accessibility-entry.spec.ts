import { linkByLetter } from '../letters.ts';
import { oneTimeCode, timeStep } from '../one-time-code.ts';
import { accessible } from '../pages/accessible.ts';
import { header } from '../pages/header.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { twoFactor } from '../pages/two-factor.ts';
import { expect, test } from '../test.ts';

test.use({ withStandIns: true, contextOptions: { reducedMotion: 'reduce' } });

test('the pages of those who are not in yet', async ({ page, archive }) => {
  const look = accessible(page);
  const entry = signInPage(page);
  const heading = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const good = async (name: string, title: string) => {
    await look.isGood(name, { title });
    await look.fits(name);
  };
  await entry.open();
  await expect(entry.row('siths')).toBeVisible();
  await good('ways to sign in', 'Sign in');
  await entry.row('password').click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await entry.says('This field are required');
  await good('password', 'Sign in');
  await entry.choose('bankid');
  await entry.bankId.isWaiting();
  await good('BankID', 'Sign in with BankID');
  await entry.bankId.cancel();
  await entry.choose('sms');
  await heading('Sign in by text message');
  await good('text message', 'Sign in by text message');
  // A person gets one message a minute: nobody else asks for hers.
  await entry.sms.askFor(people.doctorOfChanges);
  await good('code of the text message', 'Enter the code');
  await page.goto('/authorization/password');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading('Forgot your password');
  await good('forgotten', 'Forgot your password');
  const link = await linkByLetter(archive.url, async () => {
    await page.goto('/authorization/password');
    await entry.forgot(people.doctorOfChanges);
  });
  await good('letter sent', 'Look in your inbox');
  await page.goto(link);
  await entry.chooseNewPassword('kort');
  await entry.says('The password lacks something');
  await good('new password', 'Choose a new password');
  await page.goto('/setup');
  await heading('Set up the archive');
  await good('set-up', 'Set up the archive');
});

test('two-factor: turned on, asked for, turned off', async ({ page }) => {
  const look = accessible(page);
  const entry = signInPage(page);
  await signInAs(page, 'doctorOfChanges');
  const wizard = twoFactor(page);
  await wizard.openPanel();
  await wizard.begin();
  const key = await wizard.sharedKey();
  await look.isGoodOver('key of the app');
  await look.fits('key of the app');
  await wizard.toCode();
  await look.isGoodOver('first code');
  await wizard.typeCode(oneTimeCode(key, timeStep()));
  await expect(wizard.codes).toHaveCount(10);
  const [recoveryCode = ''] = await wizard.recoveryCodes();
  await look.isGoodOver('recovery codes');
  await look.fits('recovery codes');
  await wizard.finish();
  await wizard.isOn();
  await wizard.closePanel();
  await header(page).signOut();
  await entry.enter(people.doctorOfChanges, demoPassword);
  await expect(page.getByRole('heading', { level: 1, name: 'Two-step verification' })).toBeVisible();
  await look.isGood('code', { title: 'Two-step verification' });
  await look.fits('code');
  await entry.enterRecoveryCode(recoveryCode);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
  await wizard.openPanel();
  await wizard.beginTurningOff();
  await look.isGoodOver('turning two-factor off');
  await wizard.turnOff(oneTimeCode(key, timeStep() + 1));
  await wizard.isOff();
});
