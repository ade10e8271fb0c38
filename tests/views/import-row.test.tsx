import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ImportRow, type ShownImport } from '../../src/views/import/import-row.tsx';
import { show } from './render.tsx';

const running: ShownImport = {
  patient: { name: 'Anna Lind', personalNumber: '198504232380', birthDate: '1985-04-23' },
  step: 'uploading',
  percent: 40,
  outcome: 'running',
  files: [{ key: 'a', name: 'a.dcm', status: 'waiting', reason: null }],
  totalFiles: 1,
  filesDone: 0,
  named: [],
  failure: null,
  canRetry: false,
  canCancel: true,
};

const actions = () => ({
  onConfirm: vi.fn<() => void>(),
  onResume: vi.fn<() => void>(),
  onAdd: vi.fn<(files: readonly File[]) => void>(),
  onRetry: vi.fn<() => void>(),
  onCancel: vi.fn<() => void>(),
  onRemove: vi.fn<() => void>(),
});
const row = (shown: ShownImport, given = actions()) =>
  show(<ImportRow shown={shown} href="/patient/x" actions={given} />);

describe('an import in the tray', () => {
  it('says its step, its percentage and its files, and may be cancelled', async () => {
    const given = actions();
    await row(running, given);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Uploading 40 %');
    expect(screen.getByText('0 of 1 file')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
    expect(given.onCancel).toHaveBeenCalledOnce();
  });

  it('puts both names side by side before anything goes to another patient than the files name', async () => {
    const given = actions();
    await row(
      {
        ...running,
        step: 'validation',
        outcome: 'asks',
        named: [{ name: 'Berg^Erik', personalNumber: '197001011111', birthDate: null, files: 3 }],
      },
      given,
    );
    const dialog = within(screen.getByRole('alertdialog'));
    expect(dialog.getByText('Anna Lind')).toBeTruthy();
    expect(dialog.getByText('Erik Berg')).toBeTruthy();
    expect(given.onConfirm).not.toHaveBeenCalled();
    await userEvent.click(dialog.getByRole('button', { name: 'Import to Anna Lind anyway' }));
    expect(given.onConfirm).toHaveBeenCalledOnce();
  });

  it('shows broken files by name with the reason, first and without asking', async () => {
    await row({
      ...running,
      step: 'done',
      outcome: 'done',
      filesDone: 2,
      totalFiles: 2,
      files: [
        { key: 'a', name: 'good.dcm', status: 'imported', reason: null },
        { key: 'b', name: 'bad.dcm', status: 'refused', reason: 'The file is empty' },
      ],
    });
    const files = within(screen.getByRole('list', { name: 'Show files' })).getAllByRole('listitem');
    expect(files.map((file) => file.textContent)).toEqual(['bad.dcmThe file is empty', 'good.dcmImported']);
    expect(screen.getByText('1 image imported')).toBeTruthy();
    expect(screen.getByText('1 file was not taken')).toBeTruthy();
  });

  it('offers another try only where one can help', async () => {
    const failed: ShownImport = { ...running, outcome: 'failed', failure: 'These files can not be imported' };
    const first = await row(failed);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    first.unmount();
    const given = actions();
    await row({ ...failed, canRetry: true }, given);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(given.onRetry).toHaveBeenCalledOnce();
  });
});
