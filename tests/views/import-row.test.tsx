import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { LeftOut } from '../../src/views/import/groups.ts';
import { ImportRow, type ShownImport } from '../../src/views/import/import-row.tsx';
import type { RowMay } from '../../src/views/import/row-commands.tsx';
import { RowProgress, type ShownProgress } from '../../src/views/import/row-progress.tsx';
import { RowResult } from '../../src/views/import/row-result.tsx';
import { countsOf, type Destination } from '../../src/views/import/shown-import.ts';
import { anImportFile } from '../an-import.ts';
import { show } from './render.tsx';

const uploading: ShownImport = {
  ...{ name: 'CT/head', kind: 'dicomdir', whom: [], outcome: 'running', incomplete: false },
  ...{ told: null, failure: null, arrived: 0, hasFiles: true, hasProblems: false },
};
const nothing: RowMay = { pause: false, resume: false, retry: false, cancel: false, remove: false };

const row = async (shown: Partial<ShownImport>, may: Partial<RowMay> = {}) => {
  const acts = {
    ...{ onPause: vi.fn<() => void>(), onContinue: vi.fn<() => void>(), onRetry: vi.fn<() => void>() },
    ...{ onCancel: vi.fn<() => void>(), onRemove: vi.fn<() => void>() },
  };
  await show(
    <ul>
      <ImportRow
        {...acts}
        shown={{ ...uploading, ...shown }}
        may={{ ...nothing, ...may }}
        progress={null}
        result={null}
        asks={null}
        files={() => <p>the files</p>}
      />
    </ul>,
  );
  return acts;
};

describe('a row of the tray', () => {
  it('says what it is and for whom, each a way to the patient, a crowd in a number', async () => {
    const whom = ['Ada', 'Bo', 'Cai', 'Dag', 'Eva'].map((name) => ({ id: name, name }));
    await row({ whom });
    expect(screen.getByRole('heading', { name: 'CT/head' })).toBeTruthy();
    expect(screen.getByText('DICOMDIR')).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/patient/Ada',
      '/patient/Bo',
      '/patient/Cai',
    ]);
    expect(screen.getByText('and 2 more patients')).toBeTruthy();
  });

  it('calls a zip a zip', async () => {
    await row({ name: 'export.ZIP' });
    expect(screen.getByText('Zip')).toBeTruthy();
  });

  it('is paused, continued, retried and taken out by buttons that are there when they make sense', async () => {
    const acts = await row({}, { pause: true, resume: true, retry: true, remove: true });
    for (const name of ['Pause', 'Go on', 'Try again', 'Remove from the list'])
      await userEvent.click(screen.getByRole('button', { name }));
    for (const act of [acts.onPause, acts.onContinue, acts.onRetry, acts.onRemove]) expect(act).toHaveBeenCalledOnce();
    expect(acts.onCancel).not.toHaveBeenCalled();
  });

  it('is cancelled at once while nothing has arrived', async () => {
    const acts = await row({ arrived: 0 }, { cancel: true });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
    expect(acts.onCancel).toHaveBeenCalledOnce();
  });

  it('asks before it is cancelled when something has arrived; the way back has the focus, Escape takes it', async () => {
    const acts = await row({ arrived: 12 }, { cancel: true });
    const open = () => userEvent.click(screen.getAllByRole('button', { name: 'Cancel import' })[0] as HTMLElement);
    await open();
    const ask = within(screen.getByRole('alertdialog'));
    expect(ask.getByText(/12 files have arrived/)).toBeTruthy();
    expect(document.activeElement).toBe(ask.getByRole('button', { name: 'Keep it' }));
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('listitem'));
    expect(acts.onCancel).not.toHaveBeenCalled();
    await open();
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel import' }));
    expect(acts.onCancel).toHaveBeenCalledOnce();
  });

  it('opens its files by itself once it is over with problems, and draws them only while they are open', async () => {
    await row({ outcome: 'done', hasProblems: true });
    expect(screen.getByText('the files')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide files' }));
    expect(screen.queryByText('the files')).toBeNull();
  });

  it('keeps its files closed while it runs', async () => {
    await row({ hasProblems: true });
    expect(screen.queryByText('the files')).toBeNull();
    expect(screen.getByRole('button', { name: 'Show files' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('tells a screen reader how it stands', async () => {
    await row({ outcome: 'asks', told: 'CT/head: Waiting for you' });
    expect(screen.getByRole('status').textContent).toBe('CT/head: Waiting for you');
    expect(screen.getByRole('listitem').getAttribute('data-outcome')).toBe('asks');
  });
});

const running: ShownProgress = {
  ...{ step: 'uploading', percent: 40, outcome: 'running', incomplete: false, waits: false },
  ...{ filesDone: 120, totalFiles: 300, bytesLeft: 90_000_000, speed: 3_000_000 },
};

describe('progress', () => {
  it('says the step, percent, files done of all, speed and time left', async () => {
    await show(<RowProgress shown={running} />);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Uploading 40 %');
    for (const text of ['Uploading', '40 %', '120 of 300 files', '3.00 MB/s', 'about 30 seconds left'])
      expect(screen.getByText(text)).toBeTruthy();
  });

  it('waits for the connection in words, and promises no time', async () => {
    await show(<RowProgress shown={{ ...running, waits: true }} />);
    expect(screen.getByText('Waiting for the connection')).toBeTruthy();
    expect(screen.queryByText(/left|MB/)).toBeNull();
  });

  it.each([
    [{ outcome: 'paused' }, 'Paused'],
    [{ outcome: 'asks', step: 'validation' }, 'Waiting for you'],
    [{ outcome: 'asks' }, 'Upload stopped'],
    [{ outcome: 'failed', step: 'parsing' }, 'Stopped while: Reading files'],
    [{ outcome: 'done', step: 'done' }, 'Done'],
    [{ outcome: 'done', step: 'done', incomplete: true }, 'Done, but not with everything'],
  ] as const)('says %o in words', async (facts, words) => {
    await show(<RowProgress shown={{ ...running, ...facts }} />);
    expect(screen.getByText(words)).toBeTruthy();
  });
});

const files = (...statuses: Parameters<typeof anImportFile>[0][]) =>
  statuses.map((facts, index) => anImportFile({ id: String(index), fileName: `f${index}.dcm`, ...facts }));
const result = (
  counts: ReturnType<typeof countsOf>,
  destinations: Destination[] = [],
  notSent: readonly LeftOut[] = [],
) => show(<RowResult counts={counts} notSent={notSent} done destinations={destinations} />);

describe('what came of it', () => {
  it('says that all came in only when all did', async () => {
    await result(countsOf(files({ status: 'imported' }, { status: 'imported' }), []));
    expect(screen.getByText('2 images imported')).toBeTruthy();
  });

  it('says 2 of 5, and names those that were not taken, also the one that never got there', async () => {
    const found = files(
      { status: 'imported' },
      { status: 'imported' },
      { status: 'refused', problem: 'truncated' },
      { status: 'refused', problem: 'file-missing' },
    );
    await result(countsOf(found, ['huge.dcm']));
    expect(screen.getByText('2 of 5 imported')).toBeTruthy();
    expect(screen.getByText('3 files were not taken: huge.dcm, f2.dcm, f3.dcm')).toBeTruthy();
  });

  it('counts what a zip holds, not the zip, nor what a disc holds beside its images, nor what a person left out', async () => {
    const found = files({ status: 'unpacked' }, { status: 'imported' }, { status: 'ignored' }, { status: 'left-out' });
    await result(
      countsOf(found, []),
      [],
      [
        { path: 'CD/run.exe', why: 'no-image' },
        { path: 'CD/I9', why: 'unreadable' },
      ],
    );
    expect(screen.getByText('1 image imported')).toBeTruthy();
    expect(screen.getByText('1 left out')).toBeTruthy();
    expect(screen.getByText('1 file belongs to the disc but is no image')).toBeTruthy();
    expect(screen.getByText('1 file that is no image was not sent')).toBeTruthy();
    expect(screen.getByText('The browser could not open 1 file: CD/I9')).toBeTruthy();
  });

  it('says that nothing was new', async () => {
    await result(countsOf(files({ status: 'duplicate' }, { status: 'duplicate' }), []));
    expect(screen.getByText('Nothing new: all 2 were already in the archive')).toBeTruthy();
  });

  it('names more than three by their number', async () => {
    await result(countsOf(files(...Array.from({ length: 6 }, () => ({ status: 'refused' as const }))), []));
    expect(screen.getByText('6 files were not taken: f0.dcm, f1.dcm, f2.dcm and 3 more')).toBeTruthy();
  });

  it('leads to the patient and to the mount', async () => {
    const to = { id: 'p1', name: 'Anna Lind', studyUid: '1.2.3', viewsetId: 'v1', images: 3 };
    await result(countsOf(files({ status: 'imported' }), []), [
      to,
      { ...to, id: 'p2', name: 'Bo Ek', viewsetId: null },
    ]);
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Anna Lind', '/patient/p1'],
      ['Open the mount', '/patient/p1/1.2.3/v1'],
      ['Bo Ek', '/patient/p2'],
    ]);
  });
});
