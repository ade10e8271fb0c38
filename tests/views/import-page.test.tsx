import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { createActor, fromCallback, fromPromise } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import type { ConfirmInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { type ImportsActor, importsMachine, selectImports } from '../../src/machines/imports/imports.machine.ts';
import type { KeptImport } from '../../src/machines/imports/imports.rules.ts';
import { type FilesToImport, type Ground, GroundProvider, type ImportTarget } from '../../src/views/ground.tsx';
import { DropAnywhere } from '../../src/views/import/drop-anywhere.tsx';
import { ImportIndicator } from '../../src/views/import/import-indicator.tsx';
import { ImportPage } from '../../src/views/import/import-page.tsx';
import { TraySummary } from '../../src/views/import/tray-summary.tsx';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { anImportFile, anImportStudy, anImportTask } from '../an-import.ts';
import { show } from './render.tsx';

const clinic = { id: '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02', name: 'Tandkliniken Eken' };

const file = (name: string, path = name) => {
  const one = new File(['x'], name);
  if (path !== name) Object.defineProperty(one, 'webkitRelativePath', { value: path });
  return one;
};

/** An archive that holds `held`; a tray; and what the page asked for. */
const ground = (held: readonly ImportTask[] = []) => {
  const confirmed: string[] = [];
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(() => new Promise<{ id: string }>(() => {})),
      uploadFiles: fromCallback(() => {}),
      fetchImport: fromPromise(async ({ input }: { input: { taskId: string } }) => {
        const task = held.find(({ id }) => id === input.taskId);
        if (!task) throw new Error('no such import');
        return task;
      }),
      confirmImport: fromPromise<{ id: string }, ConfirmInput>(async ({ input }) => {
        confirmed.push(input.taskId);
        return { id: input.taskId };
      }),
    },
  });
  const restoreTray = fromPromise<readonly KeptImport[], void>(async () => []);
  const tray = createActor(importsMachine.provide({ actors: { importStudy: study, restoreTray } })).start();
  const started: { target: ImportTarget; groups: readonly FilesToImport[] }[] = [];
  const importFiles = (target: ImportTarget, groups: readonly FilesToImport[]) => {
    started.push({ target, groups });
    const chosen = groups.map(({ kind, name, files }, at) => ({
      ...{ id: `${started.length}/${at}`, kind, name },
      files: files.map(({ path }, index) => ({
        key: `${started.length}/${at}/${index}`,
        path,
        name: path,
        sizeBytes: 1,
      })),
    }));
    tray.send({ type: 'imports.chosen', ...target, groups: chosen });
  };
  const reading = {
    importsOpen: () => ({ queryKey: ['imports'], queryFn: async () => [...held] }),
  } as unknown as Reading;
  const around = (piece: React.ReactNode) => (
    <ReadingProvider value={reading}>
      <GroundProvider value={{ importFiles } as unknown as Ground}>{piece}</GroundProvider>
    </ReadingProvider>
  );
  return { tray, started, confirmed, around };
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
  const open = async (down = false) => {
    const { tray, started, around } = ground();
    await show(around(<ImportPage actor={tray} clinic={clinic} down={down} />));
    return { tray, started };
  };

  it('says into which clinic it goes, before and while files are held above it', async () => {
    await open();
    expect(screen.getByText('To Tandkliniken Eken')).toBeTruthy();
    fireEvent.dragEnter(document.documentElement, { dataTransfer: { types: ['Files'], items: [], files: [] } });
    expect(
      within(screen.getByText('Drop to import into').parentElement as HTMLElement).getByText(clinic.name),
    ).toBeTruthy();
  });

  it('starts what was dropped, one import for each thing, a row for each', async () => {
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

  it('takes a folder with its ways, and names in the row what of it was not sent', async () => {
    const { started } = await open();
    const chosen = [file('1', 'CT/1'), file('2', 'CT/s/2'), file('run.exe', 'CT/run.exe')];
    await userEvent.upload(screen.getByTestId('import-folder'), chosen, { applyAccept: false });
    expect(started[0]?.groups[0]?.files.map(({ path }) => path)).toEqual(['CT/1', 'CT/s/2']);
    expect(screen.getByText('1 file that is no image was not sent')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show files' }));
    const list = within(screen.getByRole('list', { name: 'Files of CT' }));
    expect(list.getByText('Not sent: no image').closest('li')?.textContent).toContain('CT/run.exe');
  });

  it('says that a folder has no DICOMDIR, and imports its files only when a person wants it', async () => {
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

  it('takes a DICOMDIR folder by the same button', async () => {
    const { started } = await open();
    await userEvent.upload(screen.getByTestId('disc-folder'), [file('dicomdir', 'CD/dicomdir'), file('1', 'CD/i/1')], {
      applyAccept: false,
    });
    expect(started[0]?.groups.map(({ kind, files }) => [kind, files.map(({ path }) => path)])).toEqual([
      ['dicomdir', ['dicomdir', 'i/1']],
    ]);
  });

  it.each([
    [[file('DICOMDIR')], /only the table of contents/],
    [[file('a.pdf', 'docs/a.pdf')], /nothing to import in docs/],
    [[], /There were no files/],
  ])('says in words what gives no import, until it was read', async (files, words) => {
    const { started } = await open();
    await drop(...files);
    expect(started).toEqual([]);
    expect(screen.getByText(words)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(words)).toBeNull();
  });

  it('takes files without a connection too: their rows wait for it', async () => {
    const { started } = await open(true);
    await drop(file('a.dcm'));
    expect(started).toHaveLength(1);
    expect(screen.getByText('Waiting for the connection')).toBeTruthy();
  });
});

describe('files let go elsewhere', () => {
  it('start as imports of the clinic, and the import page is wanted', async () => {
    const { tray, started, around } = ground();
    const onStarted = vi.fn<() => void>();
    await show(around(<DropAnywhere actor={tray} clinic={clinic} asleep={false} onStarted={onStarted} />));
    await drop(file('a.dcm'));
    expect(started[0]?.target).toEqual({ patientId: null, customerId: clinic.id });
    expect(onStarted).toHaveBeenCalledOnce();
  });

  it('are left to a page that takes files itself', async () => {
    const { tray, started, around } = ground();
    await show(around(<DropAnywhere actor={tray} clinic={clinic} asleep={true} onStarted={() => {}} />));
    await drop(file('a.dcm'));
    expect(started).toEqual([]);
  });

  it('finds what the person began in another browser', async () => {
    const task = anImportTask('validation', {
      id: crypto.randomUUID(),
      customerId: clinic.id,
      patientId: null,
      name: 'CD',
    });
    const { tray, around } = ground([task]);
    await show(around(<DropAnywhere actor={tray} clinic={clinic} asleep={false} onStarted={() => {}} />));
    await vi.waitFor(() => expect(selectImports(tray.getSnapshot()).map(({ name }) => name)).toEqual(['CD']));
  });
});

describe('an import that failed', () => {
  const failed = async (files: ImportTask['files']) => {
    const task = anImportTask('validation', {
      ...{ id: crypto.randomUUID(), customerId: clinic.id, patientId: null, error: true, files },
    });
    const { tray, around } = ground([task]);
    await settle();
    const { id: taskId, patientId, customerId, kind, name } = task;
    tray.send({ type: 'import.found', taskId, patientId, customerId, kind, name });
    await show(around(<ImportPage actor={tray} clinic={clinic} down={false} />));
  };

  it('because no file of it can be had says that these files can not be imported', async () => {
    await failed([anImportFile({ status: 'refused', problem: 'not-dicom' })]);
    expect(await screen.findByText('These files can not be imported')).toBeTruthy();
  });

  it('because the archive stumbled says that it was an error while processing', async () => {
    await failed([anImportFile({ status: 'parsed' })]);
    expect(await screen.findByText('Error while processing these files')).toBeTruthy();
  });
});

describe('the line above the tray', () => {
  const found = (tray: ImportsActor, ...tasks: ImportTask[]) => {
    for (const { id: taskId, patientId, customerId, kind, name } of tasks)
      tray.send({ type: 'import.found', taskId, patientId, customerId, kind, name });
  };
  const taskOf = (step: 'validation' | 'done', obstacles: ImportTask['studies'][number]['obstacles']) =>
    anImportTask(step, {
      ...{ id: crypto.randomUUID(), customerId: clinic.id, patientId: null },
      files: [anImportFile({ status: step === 'done' ? 'imported' : 'parsed' })],
      studies: [anImportStudy({ obstacles })],
    });

  it('does not call done what is not whole, and draws the header to it', async () => {
    const lacking = anImportTask('done', {
      ...{ id: crypto.randomUUID(), customerId: clinic.id, patientId: null },
      files: [anImportFile({ status: 'imported' }), anImportFile({ status: 'refused', problem: 'file-missing' })],
    });
    const { tray, around } = ground([lacking]);
    await settle();
    found(tray, lacking);
    await settle();
    await show(
      around(
        <>
          <TraySummary actor={tray} />
          <ImportIndicator actor={tray} opened={false} onToggle={() => {}} />
        </>,
      ),
    );
    expect(screen.getByText('1 done, but not with everything')).toBeTruthy();
    expect(screen.queryByText('1 done')).toBeNull();
    expect(screen.getByRole('button', { name: 'Imports' }).getAttribute('data-tone')).toBe('asks');
  });

  it('counts what asks and what is done, imports all that are ready with one word, and clears what is done', async () => {
    const [ready, asking, done] = [
      taskOf('validation', []),
      taskOf('validation', ['patient-missing']),
      taskOf('done', []),
    ];
    const { tray, confirmed, around } = ground([ready, asking, done]);
    await settle();
    found(tray, ready, asking, done);
    await settle();
    await show(around(<TraySummary actor={tray} />));
    expect(screen.getByText('2 wait for you')).toBeTruthy();
    expect(screen.getByText('1 done')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Import the one that is ready' }));
    expect(confirmed).toEqual([ready.id]);
    await userEvent.click(screen.getByRole('button', { name: 'Clear finished' }));
    expect(selectImports(tray.getSnapshot()).map(({ id }) => id)).toEqual([asking.id, ready.id]);
    expect(await screen.findByText('1 waits for you')).toBeTruthy();
  });
});
