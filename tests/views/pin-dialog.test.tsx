import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { PinState } from '../../contract/pins.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { PinDialog } from '../../src/views/two-factor/pin-dialog.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';
import { aUser } from './signed-in-session.ts';

const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 400, code, errors });

/** The archive: it needs a proof by the password, and refuses 1234. */
const open = async (pin: PinState) => {
  let isProved = false;
  const needsProof = () => {
    if (!isProved) throw refused('proof-needed');
  };
  const pins = {
    set: vi.fn(async (text: string) => {
      needsProof();
      if (text === '1234') throw refused('invalid-request', [{ fieldKey: 'pin', vars: { rule: 'common' } }]);
    }),
    remove: vi.fn(async () => needsProof()),
  };
  const proveByPassword = vi.fn(async (password: string) => {
    if (password !== 'Demo-2026!') throw refused('incorrect-password');
    isProved = true;
  });
  const onClose = vi.fn();
  const value = { pins, passkeys: async () => ({ proveByPassword }) } as unknown as AppContext;
  await show(
    <AppContextProvider value={value}>
      <Suspense fallback={null}>
        <PinDialog user={{ ...aUser('Doctor', null), pin }} onClose={onClose} />
      </Suspense>
      <ToastStrip />
    </AppContextProvider>,
  );
  return { pins, onClose };
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const prove = async () => {
  await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  await userEvent.type(await screen.findByLabelText('Password'), 'Demo-2026!{Enter}');
};
const typeTwice = async (pin: string, again = pin) => {
  for (const [label, text] of [
    ['New PIN', pin],
    ['Repeat the PIN', again],
  ] as const) {
    const field = await screen.findByLabelText(new RegExp(`^${label}`), { selector: 'input' });
    await userEvent.clear(field);
    await userEvent.type(field, text);
  }
};

describe('the PIN in the account', () => {
  it('is set after the password, by the key Enter', async () => {
    const { pins, onClose } = await open('none');
    await screen.findByRole('dialog', { name: 'Set a PIN' });
    expect(screen.queryByRole('button', { name: 'Remove the PIN' })).toBeNull();
    await typeTwice('73x');
    await press('Save');
    expect(await screen.findByText('Enter 4 to 12 digits')).toBeTruthy();
    await typeTwice('730182', '730183');
    await press('Save');
    expect(await screen.findByText('The PINs are not the same')).toBeTruthy();
    expect(pins.set).not.toHaveBeenCalled();
    await typeTwice('730182', '730182{Enter}');
    await prove();
    expect(await screen.findByText('The PIN is set')).toBeTruthy();
    expect(pins.set.mock.calls).toEqual([['730182'], ['730182']]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('is refused in words when it is easily guessed, and then changed by the button', async () => {
    const { pins } = await open('usable');
    await screen.findByRole('dialog', { name: 'Change the PIN' });
    await typeTwice('1234');
    await press('Save');
    await prove();
    expect(await screen.findByText('This PIN is easily guessed. Choose another one.')).toBeTruthy();
    await typeTwice('730182');
    await press('Save');
    expect(await screen.findByText('The PIN is changed')).toBeTruthy();
    expect(pins.set).toHaveBeenLastCalledWith('730182');
  });

  it('is removed after a question', async () => {
    const { pins, onClose } = await open('usable');
    await press('Remove the PIN');
    await screen.findByRole('dialog', { name: 'Remove the PIN?' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    await press('Remove');
    await prove();
    expect(await screen.findByText('The PIN is removed')).toBeTruthy();
    expect(pins.remove).toHaveBeenCalledTimes(2);
    expect(onClose).toHaveBeenCalledOnce();
  });
});
