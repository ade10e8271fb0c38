import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { ImportIndicator } from '../../src/views/import/import-indicator.tsx';
import { TrayPanel } from '../../src/views/import/tray-panel.tsx';
import { show } from './render.tsx';

const emptyTray = () =>
  createActor(
    importsMachine.provide({ actors: { restoreTray: fromPromise<readonly StoredImport[], void>(async () => []) } }),
  ).start();

it('shows the header button for images to devices also without imports', async () => {
  const onToggle = vi.fn();
  const indicator = (sendings: Parameters<typeof ImportIndicator>[0]['sendings']) =>
    show(<ImportIndicator actor={emptyTray()} sendings={sendings} opened={false} onToggle={onToggle} />);
  await indicator(null);
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  await indicator({ running: 2, needsAttention: false, percent: 25 });
  const button = screen.getByRole('button', { name: 'Imports and transfers: 2 running' });
  expect(button.getAttribute('data-tone')).toBe('running');
  expect(within(button).getByText('2 running')).toBeTruthy();
  await userEvent.click(button);
  expect(onToggle).toHaveBeenCalledOnce();
  cleanup();
  await indicator({ running: 0, needsAttention: true, percent: 0 });
  const failed = screen.getByRole('button', { name: 'Imports and transfers' });
  expect(failed.getAttribute('data-tone')).toBe('needs-decision');
});

it('shows images to devices in the panel, and that there are no imports only without them', async () => {
  const panel = (sendings: ReactNode) =>
    show(<TrayPanel actor={emptyTray()} isConnectionLost={false} sendings={sendings} onClose={() => undefined} />);
  await panel(<p>To PACS</p>);
  const both = within(screen.getByRole('region', { name: 'Imports and transfers' }));
  expect(both.getByText('To PACS')).toBeTruthy();
  expect(both.queryByText('No imports in this session')).toBeNull();
  cleanup();
  await panel(null);
  expect(within(screen.getByRole('region', { name: 'Imports' })).getByText('No imports in this session')).toBeTruthy();
});
