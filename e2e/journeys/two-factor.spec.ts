import { oneTimeCode, timeStep } from '../one-time-code.ts';
import { header } from '../pages/header.ts';
import { demoPassword, people, signInAs, signInPage } from '../pages/sign-in.ts';
import { twoFactor } from '../pages/two-factor.ts';
import { expect, test } from '../test.ts';

test('two-factor: set up, in by the code, in by a recovery code, off again', async ({ page }) => {
  await signInAs(page, 'doctorOfChanges');
  const wizard = twoFactor(page);
  const entry = signInPage(page);
  const inside = () => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

  // Each time step is good once, and the one before and after the present are good too: three codes without waiting for the clock.
  const step = timeStep();
  await wizard.openPanel();
  await wizard.begin();
  const key = await wizard.sharedKey();
  await wizard.toCode();
  await wizard.typeCode(oneTimeCode(key, step + 7_777));
  await wizard.isWrong();
  await wizard.typeCode(oneTimeCode(key, step - 1));
  await expect(wizard.codes).toHaveCount(10);
  const [recoveryCode = ''] = await wizard.recoveryCodes();
  await wizard.finish();
  await wizard.isClosed();
  await wizard.isOn();
  await wizard.closePanel();

  await header(page).signOut();
  await entry.enter(people.doctorOfChanges, demoPassword);
  await entry.enterCode('000000');
  await entry.codeIsRefused();
  await entry.enterCode(oneTimeCode(key, step));
  await inside();

  await header(page).signOut();
  await entry.enter(people.doctorOfChanges, demoPassword);
  await entry.enterRecoveryCode(recoveryCode);
  await inside();
  await header(page).signOut();
  await entry.enter(people.doctorOfChanges, demoPassword);
  await entry.enterRecoveryCode(recoveryCode);
  await entry.codeIsRefused();
  await page.getByRole('button', { name: 'Use the authenticator app instead' }).click();
  await entry.enterCode(oneTimeCode(key, step + 1));
  await inside();

  await wizard.openPanel();
  await wizard.codesLeft(9);
  await wizard.beginTurningOff();
  await wizard.turnOff(recoveryCode);
  await wizard.isWrong();
  await wizard.leave();
});
