import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { TwoFactorDialog } from '../../src/views/users/two-factor-dialog.tsx';
import { show } from './render.tsx';
import { userOf } from './users-fixture.tsx';

beforeEach(() => vi.stubGlobal('PublicKeyCredential', class {}));
afterEach(() => void vi.unstubAllGlobals());

const open = async (hasPasskey: boolean) => {
  const calls: unknown[] = [];
  const administration = { resetTwoFactor: async (body: unknown) => void calls.push(body) };
  const passkeys = { proveByPasskey: async () => void calls.push('proof') };
  const context = { administration: async () => administration, passkeys: async () => passkeys };
  const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => ({ hasMailServer: false }) }) };
  const onClose = vi.fn();
  await show(
    <AppContextProvider value={context as unknown as AppContext}>
      <AppQueriesProvider value={queries as unknown as AppQueries}>
        <Suspense fallback={null}>
          <TwoFactorDialog
            user={userOf(1, { twoFactorEnabled: true })}
            asksCode
            hasPasskey={hasPasskey}
            onClose={onClose}
          />
        </Suspense>
      </AppQueriesProvider>
    </AppContextProvider>,
  );
  await screen.findByRole('dialog');
  return { calls, onClose };
};

it('the two-factor authentication of a user is turned off after a passkey of the administrator', async () => {
  const { calls, onClose } = await open(true);
  await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(calls).toEqual(['proof', { id: userOf(1).id, language: 'en' }]);
});

it('an administrator without a passkey enters a code', async () => {
  const { calls } = await open(false);
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  await userEvent.type(screen.getByLabelText(/^A code from your own authenticator app/), '123456{Enter}');
  await vi.waitFor(() => expect(calls).toEqual([{ id: userOf(1).id, proof: '123456', language: 'en' }]));
});
