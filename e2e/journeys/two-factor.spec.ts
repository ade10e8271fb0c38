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

  // Each time step is good once, and the one after the present is good too: whoever needs a third within a step waits for the clock.
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
  await wizard.isWrong();
  await wizard.typeCode(await nextCode(key));
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
  await entry.enterCode(await nextCode(key));
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
  await entry.enterCode(await nextCode(key));
  await inside();

  await wizard.openPanel();
  await wizard.codesLeft(9);
  await wizard.beginTurningOff();
  await wizard.turnOff(recoveryCode);
  await wizard.isWrong();
  // The next journeys find her as she was.
  await wizard.turnOff(await nextCode(key));
  await wizard.isOff();
});
