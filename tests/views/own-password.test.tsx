import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { OwnPasswordDialog } from '../../src/views/app/own-password-dialog.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';

const changeOwn = vi.fn<AppContext['passwords']['changeOwn']>();
const onClose = vi.fn();
beforeEach(() => void vi.resetAllMocks());

const open = () =>
  show(
    <AppContextProvider value={{ passwords: { changeOwn } } as unknown as AppContext}>
      <OwnPasswordDialog onClose={onClose} />
      <ToastStrip />
    </AppContextProvider>,
  );
const field = (name: RegExp) => screen.findByLabelText<HTMLInputElement>(name, { selector: 'input' });
const fill = async (current: string, password: string) => {
  await userEvent.type(await field(/^Current password/), current);
  await userEvent.type(await field(/^New password/), password);
  await userEvent.type(await field(/^Repeat/), password);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
};

describe('changing the own password', () => {
  it('asks for the current one', async () => {
    await open();
    await fill('Gammalt-1', 'Hemligt-1');
    expect(changeOwn.mock.calls).toEqual([[{ current: 'Gammalt-1', password: 'Hemligt-1' }]]);
    expect(await screen.findByText('Your password is changed')).toBeTruthy();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('says at its field that the current one is wrong, and focuses it', async () => {
    changeOwn.mockRejectedValue(
      new ServiceError({
        kind: 'refused',
        status: 400,
        code: 'incorrect-password',
        errors: [{ fieldKey: 'current' }],
      }),
    );
    await open();
    await fill('Fel-1', 'Hemligt-1');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    expect(document.activeElement).toBe(await field(/^Current password/));
    expect(onClose).not.toHaveBeenCalled();
  });

  it('needs the current one', async () => {
    await open();
    await userEvent.type(await field(/^New password/), 'Hemligt-1');
    await userEvent.type(await field(/^Repeat/), 'Hemligt-1');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('This field are required')).toBeTruthy();
    expect(changeOwn).not.toHaveBeenCalled();
  });
});
