import { Notifications, notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fromPromise } from 'xstate';
import { twoFactorMachine } from '../../src/machines/two-factor/two-factor.machine.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { TwoFactorSection } from '../../src/views/account/account-panel.tsx';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { inGroups } from '../../src/views/two-factor/key-step.tsx';
import { TwoFactorDialog } from '../../src/views/two-factor/two-factor-dialog.tsx';
import { show } from './render.tsx';
import { aUser } from './signed-in-session.ts';

const key = {
  sharedKey: 'JBSWY3DPEHPK3PXPJBSWY3DP',
  authenticatorUri: 'otpauth://totp/Dentarium:anna%40clinic.example?secret=JBSWY3DPEHPK3PXPJBSWY3DP&issuer=Dentarium',
};
const codes = Array.from({ length: 10 }, (_, index) => `ABCDE-2345${index}`);
const refused = (code: 'incorrect-code' | 'proof-needed'): Failure => ({
  kind: 'refused',
  status: 400,
  code,
  errors: [],
});

/** Fakes an API that accepts one code; it can be offline, or lose its reply. */
const archive = () => {
  const world = {
    isOn: false,
    right: '123456',
    away: false,
    losesReplies: false,
    asksProof: false,
    codes: [] as string[],
  };
  const answer = <T,>(reply: T): T => {
    if (world.losesReplies) throw new ServiceError({ kind: 'offline' });
    return reply;
  };
  const check = (code: string) => {
    world.codes.push(code);
    if (world.away) throw new ServiceError({ kind: 'offline' });
    if (code !== world.right) throw new ServiceError(refused('incorrect-code'));
  };
  const logic = twoFactorMachine.provide({
    actors: {
      setUp: fromPromise(async () => {
        if (world.away) throw new ServiceError({ kind: 'offline' });
        if (world.asksProof) throw new ServiceError(refused('proof-needed'));
        return key;
      }),
      verify: fromPromise<readonly string[], { code: string }>(async ({ input }) => {
        check(input.code);
        world.isOn = true;
        return answer(codes);
      }),
      disable: fromPromise<void, { code: string }>(async ({ input }) => {
        check(input.code);
        world.isOn = false;
        return answer(undefined);
      }),
      fetchStatus: fromPromise(async () => world.isOn),
    },
  });
  return { world, logic: Promise.resolve(logic) };
};

const anna = { ...aUser('Doctor', null), email: 'anna@clinic.example', twoFactorEnabled: true, passkeys: 1 };
const passkeys = { proveByCode: vi.fn(async () => ({})) };

const open = async (goal: 'turn-on' | 'turn-off', { logic }: ReturnType<typeof archive>) => {
  const onClose = vi.fn();
  await act(async () => {
    await show(
      <Suspense fallback={null}>
        <Notifications />
        <AppContextProvider value={{ passkeys: async () => passkeys } as unknown as AppContext}>
          <TwoFactorDialog logic={logic} change={goal} user={anna} onClose={onClose} />
        </AppContextProvider>
      </Suspense>,
    );
  });
  return { onClose };
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Code from the app/ });
const type = async (code: string) => fireEvent.change(await codeField(), { target: { value: code } });
const write = vi.fn(async (_: string) => undefined);

beforeEach(() => {
  write.mockClear();
  notifications.clean();
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: write }, configurable: true });
});

it('turns two-factor on in three steps, and requires confirmation that the codes are saved', async () => {
  const one = archive();
  const { onClose } = await open('turn-on', one);
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy();
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP')).toBeTruthy();
  await press('Copy the key');
  expect(write).toHaveBeenCalledWith(key.sharedKey);
  await press('Continue');

  const field = await codeField();
  expect([field.autocomplete, field.inputMode]).toEqual(['one-time-code', 'numeric']);
  await type('12345');
  expect(one.world.codes).toEqual([]);
  // Six digits are submitted without a button.
  await type('000 000');
  await screen.findByText('The code is wrong or has been used already');
  expect(one.world).toMatchObject({ isOn: false, codes: ['000000'] });
  await type('123456');

  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(codes.length);
  await press('Close');
  await press('Done');
  expect(await screen.findByText(/They are not shown again/)).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await press('Copy the codes');
  expect(write).toHaveBeenLastCalledWith(codes.join('\n'));
  fireEvent.click(screen.getByRole('checkbox', { name: 'I have saved the codes' }));
  await press('Done');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(await screen.findByText('Two-factor authentication is on')).toBeTruthy();
});

it('prints only the codes, and saves them as a text file', async () => {
  const one = archive();
  await open('turn-on', one);
  await press('Continue');
  await type('123456');
  await screen.findByRole('list', { name: 'Recovery codes' });
  const sheet = document.querySelector('body > [data-print-sheet]');
  for (const code of codes) expect(sheet?.textContent).toContain(code);
  expect(sheet?.textContent).toContain('anna@clinic.example');
  window.print = vi.fn();
  await press('Print');
  expect(window.print).toHaveBeenCalled();
  const saved: Blob[] = [];
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:codes';
  };
  URL.revokeObjectURL = () => {};
  await press('Download as a text file');
  expect(clicked.mock.instances[0]).toMatchObject({ download: 'dentarium-recovery-codes.txt' });
  const text = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(saved[0] as Blob);
  });
  expect(text.split('\r\n')).toEqual(expect.arrayContaining(codes));
  clicked.mockRestore();
});

it('stays off when cancelled before the code', async () => {
  const one = archive();
  const { onClose } = await open('turn-on', one);
  await press('Continue');
  await codeField();
  await press('Close');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(one.world).toMatchObject({ isOn: false, codes: [] });
});

it('reports a failed setup, and retries', async () => {
  const one = archive();
  one.world.away = true;
  await open('turn-on', one);
  expect(await screen.findByText('Failed to setup two-factor authentication.')).toBeTruthy();
  one.world.away = false;
  await press('Try again');
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy();
});

it('reports that turning on failed when the server is unreachable, and keeps the code', async () => {
  const one = archive();
  await open('turn-on', one);
  await press('Continue');
  one.world.away = true;
  await type('123456');
  expect(await screen.findByText(/Failed to turnOn two-factor authentication\./)).toBeTruthy();
  expect((await codeField()).value).toBe('123456');
  one.world.away = false;
  await press('Turn on');
  await screen.findByRole('list', { name: 'Recovery codes' });
});

it('warns when two-factor is on but its recovery codes were not shown', async () => {
  const one = archive();
  await open('turn-on', one);
  await press('Continue');
  one.world.losesReplies = true;
  await type('123456');
  expect(await screen.findByText(/did not arrive/)).toBeTruthy();
  one.world.losesReplies = false;
  await press('Turn off');
  await type('123456');
  await press('Turn off');
  expect(await screen.findByText('Two-factor authentication is off')).toBeTruthy();
  expect(one.world.isOn).toBe(false);
});

it('turns off with a code or a recovery code', async () => {
  const one = archive();
  Object.assign(one.world, { isOn: true, right: 'ABCDE-23450' });
  const { onClose } = await open('turn-off', one);
  await type('123456');
  // A recovery code may begin with digits, so it is not submitted automatically.
  expect(one.world.codes).toEqual([]);
  await press('Turn off');
  await screen.findByText('The code is wrong or has been used already');
  await type('ABCDE-23450');
  await press('Turn off');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(one.world.isOn).toBe(false);
});

it('warns in the account panel when few recovery codes are left', async () => {
  const onChange = vi.fn();
  const section = { onChange, onPasskeys: vi.fn() };
  const { unmount } = await show(
    <TwoFactorSection {...section} state={{ isOn: true, hasAuthenticator: true, passkeys: 0, codesLeft: 2 }} />,
  );
  expect(screen.getByText(/2 recovery codes left\. Turn two-factor authentication off and on again/)).toBeTruthy();
  await press('Turn off …');
  expect(onChange).toHaveBeenCalledWith('turn-off');
  unmount();
  const second = await show(
    <TwoFactorSection {...section} state={{ isOn: true, hasAuthenticator: true, passkeys: 0, codesLeft: 3 }} />,
  );
  expect(screen.getByText('3 recovery codes left')).toBeTruthy();
  second.unmount();
  await show(
    <TwoFactorSection {...section} state={{ isOn: false, hasAuthenticator: false, passkeys: 0, codesLeft: 0 }} />,
  );
  await press('Turn on …');
  expect(onChange).toHaveBeenLastCalledWith('turn-on');
});

it('asks a user with a passkey for a proof before the key is shown', async () => {
  const one = archive();
  one.world.asksProof = true;
  passkeys.proveByCode.mockImplementation(async () => {
    one.world.asksProof = false;
    return {};
  });
  await open('turn-on', one);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Recovery code' }), { target: { value: 'ABCDE-23450' } });
  await press('Confirm');
  expect(await screen.findByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP')).toBeTruthy();
  expect(passkeys.proveByCode).toHaveBeenCalledWith('ABCDE-23450');
});

it('turns on the authenticator app beside passkeys, and counts these', async () => {
  const section = { onChange: vi.fn(), onPasskeys: vi.fn() };
  await show(
    <TwoFactorSection {...section} state={{ isOn: true, hasAuthenticator: false, passkeys: 2, codesLeft: 9 }} />,
  );
  expect(screen.getByText('On')).toBeTruthy();
  expect(screen.getByText('2 passkeys')).toBeTruthy();
  await press('Turn on …');
  expect(section.onChange).toHaveBeenCalledWith('turn-on');
  await press('Passkeys …');
  expect(section.onPasskeys).toHaveBeenCalled();
});

it('shows a key in groups of four', () => {
  expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ');
});
