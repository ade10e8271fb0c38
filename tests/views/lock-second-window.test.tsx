import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { lockMachine } from '../../src/machines/lock/lock.machine.ts';
import { secondWindow } from '../../src/views/workspace/second-window/second-window.ts';
import { startedApp, withFreshTab } from './render-app.tsx';

withFreshTab();

it('the lock of the session closes the second window', async () => {
  const view = document.body.appendChild(document.createElement('iframe')).contentWindow;
  if (!view) throw new Error('jsdom has no window in its iframe');
  const close = vi.fn();
  Object.assign(view, { focus: vi.fn(), close });
  vi.spyOn(window, 'open').mockReturnValue(view);
  let tell: ((event: EventObject) => void) | null = null;
  const lock = lockMachine.provide({
    actors: {
      lockSession: fromPromise<void, { accountId: string }>(async () => undefined),
      watchLock: fromCallback(({ sendBack }) => {
        tell = sendBack;
      }),
    },
  });
  await startedApp('/nowhere', { appContext: { lock } });
  await screen.findByRole('button', { name: 'Account and settings' });
  expect(secondWindow.present('one', 'Second window')).toBe(true);
  expect(secondWindow.now()?.patientId).toBe('one');
  await vi.waitFor(() => expect(tell).not.toBeNull());
  await act(async () => tell?.({ type: 'input.idle' }));
  expect(await screen.findByRole('dialog', { name: 'Locked' })).toBeTruthy();
  expect(close).toHaveBeenCalledOnce();
  expect(secondWindow.now()).toBeNull();
});
