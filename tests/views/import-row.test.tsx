import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { SkippedFile } from '../../src/machines/import-study/upload.rules.ts';
import { ImportRow, type ShownImport } from '../../src/views/import/import-row.tsx';
import type { AvailableCommands } from '../../src/views/import/row-commands.tsx';
import { RowProgress, type ShownProgress } from '../../src/views/import/row-progress.tsx';
import { RowResult } from '../../src/views/import/row-result.tsx';
import { countsOf, type Destination } from '../../src/views/import/shown-import.ts';
import { anImportFile } from '../an-import.ts';
import { show } from './render.tsx';

const uploading: ShownImport = {
  name: 'CT/head',
  kind: 'dicomdir',
  patients: [],
  outcome: 'running',
  incomplete: false,
  statusText: null,
  failure: null,
  arrived: 0,
  hasFiles: true,
  hasProblems: false,
};
const nothing: AvailableCommands = { pause: false, resume: false, retry: false, cancel: false, remove: false };

const row = async (shown: Partial<ShownImport>, may: Partial<AvailableCommands> = {}) => {
  const acts = {
    onPause: vi.fn<() => void>(),
    onContinue: vi.fn<() => void>(),
    onRetry: vi.fn<() => void>(),
    onCancel: vi.fn<() => void>(),
    onRemove: vi.fn<() => void>(),
  };
  await show(
    <ul>
      <ImportRow
        {...acts}
        shown={{ ...uploading, ...shown }}
        available={{ ...nothing, ...may }}
        progress={null}
        result={null}
        question={null}
        files={() => <p>the files</p>}
      />
    </ul>,
  );
  return acts;
};

describe('a row of the tray', () => {
  it('shows its name and its patients with links, or their number when there are many', async () => {
    const whom = ['Ada', 'Bo', 'Cai', 'Dag', 'Eva'].map((name) => ({ id: name, name }));
    await row({ patients: whom });
    expect(screen.getByRole('heading', { name: 'CT/head' })).toBeTruthy();
    expect(screen.getByText('DICOMDIR')).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/patient/Ada',
      '/patient/Bo',
      '/patient/Cai',
    ]);
    expect(screen.getByText('and 2 more patients')).toBeTruthy();
  });

  it('names a zip', async () => {
    await row({ name: 'export.ZIP' });
    expect(screen.getByText('Zip')).toBeTruthy();
  });

  it('offers pause, continue, retry and remove when available', async () => {
    const acts = await row({}, { pause: true, resume: true, retry: true, remove: true });
    for (const name of ['Pause', 'Resume', 'Try again', 'Remove from list'])
      await userEvent.click(screen.getByRole('button', { name }));
    for (const act of [acts.onPause, acts.onContinue, acts.onRetry, acts.onRemove]) expect(act).toHaveBeenCalledOnce();
    expect(acts.onCancel).not.toHaveBeenCalled();
  });

  it('cancels at once when nothing was uploaded', async () => {
    const acts = await row({ arrived: 0 }, { cancel: true });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
    expect(acts.onCancel).toHaveBeenCalledOnce();
  });

  it('confirms before it cancels an upload; focus is on "keep", which Escape triggers', async () => {
    const acts = await row({ arrived: 12 }, { cancel: true });
    const open = () => userEvent.click(screen.getAllByRole('button', { name: 'Cancel import' })[0] as HTMLElement);
    await open();
    const dialog = within(screen.getByRole('alertdialog'));
    expect(dialog.getByText(/12 uploaded files/)).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep import' }));
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('listitem'));
    expect(acts.onCancel).not.toHaveBeenCalled();
    await open();
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel import' }));
    expect(acts.onCancel).toHaveBeenCalledOnce();
  });

  it('expands its files when it ends with problems, and renders them only while expanded', async () => {
    await row({ outcome: 'done', hasProblems: true });
    expect(screen.getByText('the files')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide files' }));
    expect(screen.queryByText('the files')).toBeNull();
  });

  it('keeps its files collapsed while it runs', async () => {
    await row({ hasProblems: true });
    expect(screen.queryByText('the files')).toBeNull();
    expect(screen.getByRole('button', { name: 'Show files' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('announces its status to screen readers', async () => {
    await row({ outcome: 'needs-decision', statusText: 'CT/head: Needs your decision' });
    expect(screen.getByRole('status').textContent).toBe('CT/head: Needs your decision');
    expect(screen.getByRole('listitem').getAttribute('data-outcome')).toBe('needs-decision');
  });
});

const running: ShownProgress = {
  step: 'uploading',
  percent: 40,
  outcome: 'running',
  incomplete: false,
  waitReason: null,
  filesDone: 120,
  totalFiles: 300,
  bytesLeft: 90_000_000,
  speed: 3_000_000,
};

describe('progress', () => {
  it('shows step, percentage, files done of all, speed and remaining time', async () => {
    await show(<RowProgress shown={running} />);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Uploading 40 %');
    for (const text of ['Uploading', '40 %', '120 of 300 files', '3.00 MB/s', 'about 30 seconds left'])
      expect(screen.getByText(text)).toBeTruthy();
  });

  it('shows that it waits for the connection, without a remaining time', async () => {
    await show(<RowProgress shown={{ ...running, waitReason: 'connection' }} />);
    expect(screen.getByText('Waiting for the connection')).toBeTruthy();
    expect(screen.queryByText(/left|MB/)).toBeNull();
  });

  it('shows that it waits for space on the disk of the archive', async () => {
    await show(<RowProgress shown={{ ...running, waitReason: 'disk-space' }} />);
    expect(screen.getByText('Waiting: the archive’s disk is full')).toBeTruthy();
    expect(screen.queryByText(/left|MB/)).toBeNull();
  });

  it.each([
    [{ outcome: 'paused' }, 'Paused'],
    [{ outcome: 'needs-decision', step: 'validation' }, 'Needs your decision'],
    [{ outcome: 'needs-decision' }, 'Upload stopped'],
    [{ outcome: 'failed', step: 'parsing' }, 'Stopped at: Reading files'],
    [{ outcome: 'done', step: 'done' }, 'Done'],
    [{ outcome: 'done', step: 'done', incomplete: true }, 'Done, some files not imported'],
  ] as const)('describes %o as text', async (facts, words) => {
    await show(<RowProgress shown={{ ...running, ...facts }} />);
    expect(screen.getByText(words)).toBeTruthy();
  });
});

const files = (...statuses: Parameters<typeof anImportFile>[0][]) =>
  statuses.map((facts, index) => anImportFile({ id: String(index), fileName: `f${index}.dcm`, ...facts }));
const result = (
  counts: ReturnType<typeof countsOf>,
  destinations: Destination[] = [],
  notSent: readonly SkippedFile[] = [],
) => show(<RowResult counts={counts} notSent={notSent} done destinations={destinations} />);

describe('the result', () => {
  it('reports complete success only when all files were imported', async () => {
    await result(countsOf(files({ status: 'imported' }, { status: 'imported' }), []));
    expect(screen.getByText('2 files imported')).toBeTruthy();
  });

  it('shows 2 of 5 and the names of rejected and missing files, including failed uploads', async () => {
    const found = files(
      { status: 'imported' },
      { status: 'imported' },
      { status: 'refused', problem: 'truncated' },
      { status: 'refused', problem: 'file-missing' },
    );
    await result(countsOf(found, ['huge.dcm']));
    expect(screen.getByText('2 of 5 imported')).toBeTruthy();
    expect(screen.getByText('2 files were rejected: huge.dcm, f2.dcm')).toBeTruthy();
    expect(screen.getByText('1 file of the disc is missing: f3.dcm')).toBeTruthy();
  });

  it('counts the contents of a zip, but not the zip, non-images of a disc, or excluded files', async () => {
    const found = files({ status: 'unpacked' }, { status: 'imported' }, { status: 'ignored' }, { status: 'left-out' });
    await result(
      countsOf(found, []),
      [],
      [
        { path: 'CD/run.exe', why: 'no-image' },
        { path: 'CD/I9', why: 'unreadable' },
      ],
    );
    expect(screen.getByText('1 file imported')).toBeTruthy();
    expect(screen.getByText('1 left out')).toBeTruthy();
    expect(screen.getByText('1 file of the disc is not an image')).toBeTruthy();
    expect(screen.getByText('1 file is not an image and was not uploaded')).toBeTruthy();
    expect(screen.getByText('The browser could not open 1 file: CD/I9')).toBeTruthy();
  });

  it('reports that nothing was new', async () => {
    await result(countsOf(files({ status: 'duplicate' }, { status: 'duplicate' }), []));
    expect(screen.getByText('All 2 images were already in the archive')).toBeTruthy();
  });

  it('reports what was restored from the recycle bin', async () => {
    const restored = { status: 'duplicate', wasRestored: true } as const;
    await result(countsOf(files(restored, restored), []));
    expect(screen.getByText('2 restored from the recycle bin')).toBeTruthy();
    expect(screen.queryByText(/already in the archive/)).toBeNull();
  });

  it('reports restored and imported images together', async () => {
    await result(countsOf(files({ status: 'imported', wasRestored: true }, { status: 'duplicate' }), []));
    expect(screen.getByText('1 restored from the recycle bin')).toBeTruthy();
    expect(screen.getByText('1 of 2 imported')).toBeTruthy();
  });

  it('shows the count of more than three names', async () => {
    await result(countsOf(files(...Array.from({ length: 6 }, () => ({ status: 'refused' as const }))), []));
    expect(screen.getByText('6 files were rejected: f0.dcm, f1.dcm, f2.dcm and 3 more')).toBeTruthy();
  });

  it('links to the patient and the mount', async () => {
    const to = { id: 'p1', name: 'Anna Lind', studyUid: '1.2.3', viewsetId: 'v1', images: 3 };
    await result(countsOf(files({ status: 'imported' }), []), [
      to,
      { ...to, id: 'p2', name: 'Bo Ek', viewsetId: null },
    ]);
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Anna Lind', '/patient/p1'],
      ['Open mount', '/patient/p1/1.2.3/v1'],
      ['Bo Ek', '/patient/p2'],
    ]);
  });
});
