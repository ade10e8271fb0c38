import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccountPolicy, noPolicy } from '../../contract/account-policy.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { Administration } from '../../src/services/queries.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { PolicyDrawer } from '../../src/views/forms/policy-drawer.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';

const setPolicy = vi.fn<Administration['setPolicy']>();
const onClose = vi.fn();
beforeEach(() => void vi.resetAllMocks());

const open = async (policy: AccountPolicy = noPolicy) => {
  const administration = {
    policy: () => ({ queryKey: ['policy'], queryFn: async () => ({ ...policy }) }),
    setPolicy,
  };
  const value = { administration: async () => administration } as unknown as AppContext;
  await show(
    <AppContextProvider value={value}>
      <Suspense fallback={null}>
        <PolicyDrawer owner={{ kind: 'clinic', id: 'c', name: 'Solrosen' }} onClose={onClose} />
      </Suspense>
      <ToastStrip />
    </AppContextProvider>,
  );
  await screen.findByText(/For all users of Solrosen/);
};
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' });
const fill = async (name: RegExp, text: string) => {
  await userEvent.clear(field(name));
  if (text !== '') await userEvent.type(field(name), text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

describe('sign-in rules', () => {
  it('are saved together with those they are based on', async () => {
    await open();
    await fill(/^Two-factor/, '2026-12-24');
    await fill(/^Least length/, '12');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Refuse common passwords' }));
    await fill(/^Lock after/, '10');
    await fill(/^Longest session/, '9');
    await save();
    const policy = {
      twoFactorFrom: '2026-12-24',
      minPasswordLength: 12,
      refuseCommonPasswords: true,
      idleMinutes: 10,
      sessionHours: 9,
    };
    await waitFor(() => expect(setPolicy.mock.calls).toEqual([['clinic', { id: 'c', before: noPolicy, policy }]]));
    expect(await screen.findByText('The rules of Solrosen are saved')).toBeTruthy();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('are removed by empty fields', async () => {
    const before = { ...noPolicy, twoFactorFrom: '2026-12-24', idleMinutes: 10, sessionHours: 9 };
    await open(before);
    expect([field(/^Two-factor/).value, field(/^Lock after/).value]).toEqual(['2026-12-24', '10']);
    for (const name of [/^Two-factor/, /^Lock after/, /^Longest session/]) await fill(name, '');
    await save();
    await waitFor(() => expect(setPolicy.mock.calls).toEqual([['clinic', { id: 'c', before, policy: noPolicy }]]));
  });

  it('are not saved over those of another administrator', async () => {
    setPolicy.mockRejectedValue(new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] }));
    await open();
    await fill(/^Lock after/, '10');
    await save();
    expect(await screen.findByRole('button', { name: 'Load current version' })).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('are within their ranges', async () => {
    await open();
    await fill(/^Two-factor/, '2026-02-30');
    await save();
    expect(await screen.findByText(/Write the date as|does not exist/)).toBeTruthy();
    expect(setPolicy).not.toHaveBeenCalled();
  });
});
