import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { createActor, fromCallback, fromPromise } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import type { ConfirmInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import type { FilesToImport, ImportTarget } from '../../src/machines/imports/choose-files.ts';
import { type ImportsActor, importsMachine, selectImports } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider, type OpenImportsQuery } from '../../src/views/app/queries-context.tsx';
import { DropAnywhere } from '../../src/views/import/file-drop.tsx';
import { ImportIndicator } from '../../src/views/import/import-indicator.tsx';
import { ImportPage } from '../../src/views/import/import-page.tsx';
import { TraySummary } from '../../src/views/import/import-tray.tsx';
import { anImportFile, anImportStudy, anImportTask } from '../an-import.ts';
import { show } from './render.tsx';

const clinic = { id: '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02', name: 'Tandkliniken Eken' };

const file = (name: string, path = name) => {
  const created = new File(['x'], name);
  if (path !== name) Object.defineProperty(created, 'webkitRelativePath', { value: path });
  return created;
};

/** Creates an import tray and an API that has the imports `stored`; records the calls of the page. */
const fakeImports = (stored: readonly ImportTask[] = []) => {
  const confirmed: string[] = [];
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(() => new Promise<{ id: string }>(() => {})),
      uploadFiles: fromCallback(() => {}),
      fetchImport: fromPromise(async ({ input }: { input: { taskId: string } }) => {
        const task = stored.find(({ id }) => id === input.taskId);
        if (!task) throw new Error('unknown import');
        return task;
      }),
      confirmImport: fromPromise<{ id: string }, ConfirmInput>(async ({ input }) => {
        confirmed.push(input.taskId);
        return { id: input.taskId };
      }),
    },
  });
  const restoreTray = fromPromise<readonly StoredImport[], void>(async () => []);
  const tray = createActor(importsMachine.provide({ actors: { importStudy: study, restoreTray } })).start();
  const started: { target: ImportTarget; groups: readonly FilesToImport[] }[] = [];
  const importFiles = (target: ImportTarget, groups: readonly FilesToImport[]) => {
    started.push({ target, groups });
    const chosen = groups.map(({ kind, name, files, leftOut }, at) => ({
      id: `${started.length}/${at}`,
      kind,
      name,
      leftOut,
      files: files.map(({ path }, index) => ({
        key: `${started.length}/${at}/${index}`,
        path,
        name: path,
        sizeBytes: 1,
      })),
    }));
    tray.send({ type: 'imports.chosen', ...target, groups: chosen });
  };
  const queries = {
    // The server lists what was sent to the clinic on request only.
    importsOpen: (query: OpenImportsQuery) => ({
      queryKey: ['imports', JSON.stringify(query)],
      queryFn: async () => stored.filter(({ source }) => source === null || 'received' in query),
    }),
  } as unknown as AppQueries;
  const withContext = (children: React.ReactNode) => (
    <AppQueriesProvider value={queries}>
      <AppContextProvider value={{ importFiles } as unknown as AppContext}>{children}</AppContextProvider>
    </AppQueriesProvider>
  );
  return { tray, started, confirmed, withContext };
};

const drop = async (...files: File[]) => {
  const dataTransfer = { types: ['Files'], items: [], files };
  fireEvent.dragEnter(document.documentElement, { dataTransfer });
  await act(async () => {
    fireEvent.drop(document.documentElement, { dataTransfer });
    await Promise.resolve();
  });
};
const settle = () => act(() => new Promise<void>((resolve) => setImmediate(resolve)));

describe('the import page', () => {
  const open = async ({ isConnectionLost = false, isForKnownStudies = false } = {}) => {
    const { tray, started, withContext } = fakeImports();
    const state = { isConnectionLost, isForKnownStudies };
    await show(withContext(<ImportPage actor={tray} clinic={clinic} sendings={null} {...state} />));
    return { tray, started };
  };

  it('says beforehand what a user who may not create studies can import', async () => {
    await open();
    expect(screen.queryByText(/^You may not create studies/)).toBeNull();
    cleanup();
    await open({ isForKnownStudies: true });
    expect(screen.getByText(/^You may not create studies/)).toBeTruthy();
  });

  it('lists what was sent to the clinic, which other pages do not read', async () => {
    const source = { kind: 'dicomweb', name: 'PACS' } as const;
    const sent = anImportTask('validation', { id: crypto.randomUUID(), name: '', patientId: null, source });
    const { tray, withContext } = fakeImports([{ ...sent, files: [anImportFile({ status: 'parsed' })] }]);
    const names = () => selectImports(tray.getSnapshot()).map(({ name }) => name);
    await show(withContext(<DropAnywhere actor={tray} clinic={clinic} disabled={false} onStarted={() => {}} />));
    await settle();
    expect(names()).toEqual([]);
    cleanup();
    await show(
      withContext(
        <ImportPage actor={tray} clinic={clinic} isConnectionLost={false} isForKnownStudies={false} sendings={null} />,
      ),
    );
    await vi.waitFor(() => expect(names()).toEqual(['From PACS']));
  });

  it('shows the target clinic before and during a drag', async () => {
    await open();
    expect(screen.getByText('To Tandkliniken Eken')).toBeTruthy();
    fireEvent.dragEnter(document.documentElement, { dataTransfer: { types: ['Files'], items: [], files: [] } });
    expect(
      within(screen.getByText('Drop to import to').parentElement as HTMLElement).getByText(clinic.name),
    ).toBeTruthy();
  });

  it('starts one import for each dropped unit, each with a row', async () => {
    const { started } = await open();
    await drop(file('a.jpg'), file('b.png'), file('export.zip'), file('broken.dcm'));
    expect(started).toHaveLength(1);
    expect(started[0]?.target).toEqual({ patientId: null, customerId: clinic.id });
    expect(started[0]?.groups.map(({ kind, name, files }) => [kind, name, files.length])).toEqual([
      ['static', 'a.jpg +1', 2],
      ['dicomdir', 'export.zip', 1],
      ['dicom', 'broken.dcm', 1],
    ]);
    const rows = within(screen.getByRole('list', { name: 'Imports' })).getAllByRole('listitem');
    expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(['broken.dcm', 'export.zip', 'a.jpg +1']);
    expect(screen.getByText('3 running')).toBeTruthy();
  });

  it('uploads a folder with its paths, and lists in the row what was skipped', async () => {
    const { started } = await open();
    const chosen = [file('1', 'CT/1'), file('2', 'CT/s/2'), file('run.exe', 'CT/run.exe')];
    await userEvent.upload(screen.getByTestId('import-folder'), chosen, { applyAccept: false });
    expect(started[0]?.groups[0]?.files.map(({ path }) => path)).toEqual(['CT/1', 'CT/s/2']);
    expect(screen.getByText('1 file is not an image and was not uploaded')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show files' }));
    const list = within(screen.getByRole('list', { name: 'Files of CT' }));
    expect(list.getByText('Not uploaded: not an image').closest('li')?.textContent).toContain('CT/run.exe');
  });

  it('reports a folder without a DICOMDIR, and imports its files only on request', async () => {
    const { started } = await open();
    await userEvent.upload(screen.getByTestId('disc-folder'), [file('1', 'CT/1'), file('2', 'CT/2')], {
      applyAccept: false,
    });
    expect(started).toEqual([]);
    expect(screen.getByText('Folder has not DICOMDIR file')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Import 2 files anyway' }));
    expect(started[0]?.groups.map(({ kind, name }) => [kind, name])).toEqual([['dicom', 'CT']]);
    expect(screen.queryByText('Folder has not DICOMDIR file')).toBeNull();
  });

  it('imports a DICOMDIR folder with the same button', async () => {
    const { started } = await open();
    await userEvent.upload(screen.getByTestId('disc-folder'), [file('dicomdir', 'CD/dicomdir'), file('1', 'CD/i/1')], {
      applyAccept: false,
    });
    expect(started[0]?.groups.map(({ kind, files }) => [kind, files.map(({ path }) => path)])).toEqual([
      ['dicomdir', ['dicomdir', 'i/1']],
    ]);
  });

  it.each([
    [[file('DICOMDIR')], /only a list of files/],
    [[file('a.pdf', 'docs/a.pdf')], /No files to import in docs/],
    [[], /No files were dropped/],
  ])('shows why files start no import until the message is dismissed', async (files, words) => {
    const { started } = await open();
    await drop(...files);
    expect(started).toEqual([]);
    expect(screen.getByText(words)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(words)).toBeNull();
  });

  it('accepts files while offline; their rows wait for the connection', async () => {
    const { started } = await open({ isConnectionLost: true });
    await drop(file('a.dcm'));
    expect(started).toHaveLength(1);
    expect(screen.getByText('Waiting for the connection')).toBeTruthy();
  });
});

describe('files dropped outside the drop zone', () => {
  it('start imports into the clinic and request the import page', async () => {
    const { tray, started, withContext } = fakeImports();
    const onStarted = vi.fn<() => void>();
    await show(withContext(<DropAnywhere actor={tray} clinic={clinic} disabled={false} onStarted={onStarted} />));
    await drop(file('a.dcm'));
    expect(started[0]?.target).toEqual({ patientId: null, customerId: clinic.id });
    expect(onStarted).toHaveBeenCalledOnce();
  });

  it('are ignored while the page handles drops itself', async () => {
    const { tray, started, withContext } = fakeImports();
    await show(withContext(<DropAnywhere actor={tray} clinic={clinic} disabled={true} onStarted={() => {}} />));
    await drop(file('a.dcm'));
    expect(started).toEqual([]);
  });

  it('shows imports that the user started in another browser', async () => {
    const task = anImportTask('validation', {
      id: crypto.randomUUID(),
      customerId: clinic.id,
      patientId: null,
      name: 'CD',
    });
    const { tray, withContext } = fakeImports([task]);
    await show(withContext(<DropAnywhere actor={tray} clinic={clinic} disabled={false} onStarted={() => {}} />));
    await vi.waitFor(() => expect(selectImports(tray.getSnapshot()).map(({ name }) => name)).toEqual(['CD']));
  });
});

describe('an import that failed', () => {
  const openFailed = async (files: ImportTask['files']) => {
    const task = anImportTask('validation', {
      id: crypto.randomUUID(),
      customerId: clinic.id,
      patientId: null,
      error: true,
      files,
    });
    const { tray, withContext } = fakeImports([task]);
    await settle();
    const { id: taskId, patientId, customerId, kind, name } = task;
    tray.send({ type: 'import.found', taskId, patientId, customerId, kind, name });
    await show(
      withContext(
        <ImportPage actor={tray} clinic={clinic} isConnectionLost={false} isForKnownStudies={false} sendings={null} />,
      ),
    );
  };

  it('reports that its files cannot be imported when all were rejected', async () => {
    await openFailed([anImportFile({ status: 'refused', problem: 'not-dicom' })]);
    expect(await screen.findByText('These files can not be imported')).toBeTruthy();
  });

  it('reports an error during processing when the server failed', async () => {
    await openFailed([anImportFile({ status: 'parsed' })]);
    expect(await screen.findByText('Error while processing these files')).toBeTruthy();
  });
});

describe('the summary above the tray', () => {
  const sendFound = (tray: ImportsActor, ...tasks: ImportTask[]) => {
    for (const { id: taskId, patientId, customerId, kind, name } of tasks)
      tray.send({ type: 'import.found', taskId, patientId, customerId, kind, name });
  };
  const taskOf = (step: 'validation' | 'done', obstacles: ImportTask['studies'][number]['obstacles']) =>
    anImportTask(step, {
      id: crypto.randomUUID(),
      customerId: clinic.id,
      patientId: null,
      files: [anImportFile({ status: step === 'done' ? 'imported' : 'parsed' })],
      studies: [anImportStudy({ obstacles })],
    });

  it('does not report partial imports as done, and shows that in the header', async () => {
    const partial = anImportTask('done', {
      id: crypto.randomUUID(),
      customerId: clinic.id,
      patientId: null,
      files: [anImportFile({ status: 'imported' }), anImportFile({ status: 'refused', problem: 'file-missing' })],
    });
    const { tray, withContext } = fakeImports([partial]);
    await settle();
    sendFound(tray, partial);
    await settle();
    await show(
      withContext(
        <>
          <TraySummary actor={tray} />
          <ImportIndicator actor={tray} sendings={null} opened={false} onToggle={() => {}} />
        </>,
      ),
    );
    expect(screen.getByText('1 done, some files not imported')).toBeTruthy();
    expect(screen.queryByText('1 done')).toBeNull();
    expect(screen.getByRole('button', { name: 'Imports' }).getAttribute('data-tone')).toBe('needs-decision');
  });

  it('counts undecided and done imports, confirms all ready ones, and removes done ones', async () => {
    const [ready, waiting, done] = [
      taskOf('validation', []),
      taskOf('validation', ['patient-missing']),
      taskOf('done', []),
    ];
    const { tray, confirmed, withContext } = fakeImports([ready, waiting, done]);
    await settle();
    sendFound(tray, ready, waiting, done);
    await settle();
    await show(withContext(<TraySummary actor={tray} />));
    expect(screen.getByText('2 need your decision')).toBeTruthy();
    expect(screen.getByText('1 done')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Import the study that is ready' }));
    expect(confirmed).toEqual([ready.id]);
    await userEvent.click(screen.getByRole('button', { name: 'Clear finished' }));
    expect(selectImports(tray.getSnapshot()).map(({ id }) => id)).toEqual([waiting.id, ready.id]);
    expect(await screen.findByText('1 needs your decision')).toBeTruthy();
  });
});
