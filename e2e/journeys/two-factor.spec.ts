import { oneTimeCode, timeStep } from '../one-time-code.ts';
import { header } from '../pages/header.ts';
import { demoPassword, demoUsers, signInAs, signInPage } from '../pages/sign-in.ts';
import { twoFactor } from '../pages/two-factor.ts';
import { expect, test } from '../test.ts';

test('two-factor: set up, sign in by code and by recovery code, turn off', async ({ page }) => {
  await signInAs(page, 'doctorOfChanges');
  const wizard = twoFactor(page);
  const signIn = signInPage(page);
  const inside = () => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

  // Each time step is valid once, and so is the next: a third code within a step must wait for the clock.
  let used = 0;
  const nextCode = async (sharedKey: string) => {
    used = Math.max(used + 1, timeStep());
    await expect.poll(() => timeStep()).toBeGreaterThanOrEqual(used - 1);
    return oneTimeCode(sharedKey, used);
  };
  await wizard.openPanel();
  await wizard.begin();
  const key = await wizard.sharedKey();
  await wizard.toCode();
  await wizard.typeCode(oneTimeCode(key, timeStep() + 7_777));
  await wizard.isRejected();
  await wizard.typeCode(await nextCode(key));
  await expect(wizard.codes).toHaveCount(10);
  const [recoveryCode = ''] = await wizard.recoveryCodes();
  await wizard.finish();
  await wizard.isClosed();
  await wizard.isOn();
  await wizard.closePanel();

  await header(page).signOut();
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await signIn.enterCode('000000');
  await signIn.codeIsRejected();
  await signIn.enterCode(await nextCode(key));
  await inside();

  await header(page).signOut();
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await signIn.enterRecoveryCode(recoveryCode);
  await inside();
  await header(page).signOut();
  await signIn.enter(demoUsers.doctorOfChanges, demoPassword);
  await signIn.enterRecoveryCode(recoveryCode);
  await signIn.codeIsRejected();
  await page.getByRole('button', { name: 'Use the authenticator app instead' }).click();
  await signIn.enterCode(await nextCode(key));
  await inside();

  await wizard.openPanel();
  await wizard.codesLeft(9);
  await wizard.beginTurningOff();
  await wizard.turnOff(recoveryCode);
  await wizard.isRejected();
  // Restores the account for other tests.
  await wizard.turnOff(await nextCode(key));
  await wizard.isOff();
});
