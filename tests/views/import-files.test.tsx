import { act, renderHook, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { UploadFile } from '../../src/machines/import-study/upload.rules.ts';
import { FileList, shownFiles } from '../../src/views/import/file-list.tsx';
import { useOpened } from '../../src/views/import/import-tray.tsx';
import { timeLeft } from '../../src/views/import/shown-import.ts';
import { anImportFile } from '../an-import.ts';
import { show } from './render.tsx';

const upload = (path: string, facts: Partial<UploadFile> = {}): UploadFile => ({
  key: path,
  path,
  name: path,
  sizeBytes: 10,
  loadedBytes: 0,
  status: 'waiting',
  failure: null,
  ...facts,
});

describe('the files of an import', () => {
  it('come from the browser during the upload, then from the server', () => {
    const uploads = [upload('a', { status: 'uploaded' }), upload('b')];
    const found = [anImportFile({ id: '1', path: 'a', status: 'parsed' })];
    expect(shownFiles(uploads, found, [], true).map(({ path, status }) => [path, status])).toEqual([
      ['b', 'waiting'],
      ['a', 'received'],
    ]);
    const later = [upload('a', { status: 'uploaded' }), upload('b', { status: 'refused' })];
    expect(shownFiles(later, found, [], false).map(({ path, status }) => [path, status])).toEqual([
      ['b', 'refused'],
      ['a', 'parsed'],
    ]);
  });

  it('show the zip that contains them', () => {
    const found = [
      anImportFile({ id: 'z', path: 'export.zip', status: 'unpacked' }),
      anImportFile({ id: '1', path: 'in/1.dcm', containerId: 'z', status: 'refused', problem: 'empty' }),
    ];
    expect(shownFiles([], found, [], false).map(({ path }) => path)).toEqual(['export.zip/in/1.dcm', 'export.zip']);
  });

  const many = [
    anImportFile({ id: '1', path: 'CD/I1', status: 'imported' }),
    anImportFile({ id: '2', path: 'CD/I2', status: 'refused', problem: 'truncated' }),
    anImportFile({ id: '3', path: 'CD/I3', status: 'refused', problem: 'file-missing' }),
  ];

  it('list rejected ones first with their reason, and only them on request', async () => {
    await show(<FileList files={shownFiles([], many, [], false)} name="CD" />);
    const lines = () =>
      within(screen.getByRole('list', { name: 'Files of CD' }))
        .getAllByRole('listitem')
        .map((line) => line.textContent);
    expect(lines()).toEqual([
      'CD/I2The file is incomplete. Export it again',
      'CD/I3The file is listed in the DICOMDIR but is missing',
      'CD/I1Imported',
    ]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Only problems (2)' }));
    expect(lines()).toHaveLength(2);
  });

  it('are copied as displayed text', async () => {
    const user = userEvent.setup();
    await show(<FileList files={shownFiles([], many, [], false)} name="CD" />);
    await user.click(screen.getByRole('button', { name: 'Copy as text' }));
    expect((await navigator.clipboard.readText()).split('\n')[0]).toBe(
      'CD/I2\tThe file is incomplete. Export it again',
    );
  });

  it('render in pages when there are ten thousand', async () => {
    const files = Array.from({ length: 10_000 }, (_, index) =>
      anImportFile({ id: String(index), path: `I${index}`, status: 'imported' }),
    );
    await show(<FileList files={shownFiles([], files, [], false)} name="CT" />);
    expect(screen.getAllByRole('listitem')).toHaveLength(201);
    await userEvent.click(screen.getByRole('button', { name: 'Show 200 more' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(401);
  });
});

describe('the expanded import', () => {
  it('is the first that waits, until it is decided; later ones do not collapse it', () => {
    const { result, rerender } = renderHook(({ waiting }) => useOpened(waiting), { initialProps: { waiting: ['b'] } });
    const open = (ids: readonly string[]) => ids.filter((id) => result.current.isOpen(id));
    expect(open(['b'])).toEqual(['b']);
    rerender({ waiting: ['c', 'b'] });
    expect(open(['c', 'b'])).toEqual(['b']);
    act(() => result.current.setOpen('c', true));
    expect(open(['c', 'b'])).toEqual(['c', 'b']);
    act(() => result.current.setOpen('c', false));
    rerender({ waiting: ['d', 'c'] });
    expect(open(['d', 'c'])).toEqual([]);
    rerender({ waiting: ['d'] });
    expect(open(['d'])).toEqual(['d']);
  });
});

describe('the remaining time', () => {
  it.each([
    [5e6, 1e6, { unit: 'moments', count: 1 }],
    [31e6, 1e6, { unit: 'seconds', count: 40 }],
    [90e6, 1e6, { unit: 'minutes', count: 2 }],
    [7.3e9, 1e6, { unit: 'hours', count: 2 }],
    [5e6, null, null],
    [5e6, 0, null],
    [0, 1e6, null],
  ] as const)('of %d bytes at %s is %o', (bytes, speed, left) => {
    expect(timeLeft(bytes, speed)).toEqual(left);
  });
});
