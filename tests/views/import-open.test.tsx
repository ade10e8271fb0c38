import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import type { ParseInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { importsMachine, selectImports } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider, type OpenImportsQuery } from '../../src/views/app/queries-context.tsx';
import { ImportTray } from '../../src/views/import/import-tray.tsx';
import { useOpenImports } from '../../src/views/import/use-open-imports.ts';
import { anImportFile, anImportStudy, anImportTask } from '../an-import.ts';
import { show } from './render.tsx';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const quietMs = 10_000;

const chosen = { key: 'a', name: 'a.dcm', path: 'a.dcm', sizeBytes: 100 };

const fileOf = (name: string, match: 'same' | 'differs' = 'same'): ImportTask['files'][number] =>
  anImportFile({
    id: crypto.randomUUID(),
    fileName: name,
    patient: { name: 'Berg^Erik', patientId: null, birthDate: null, sex: null, match },
  });
const taskOf = (step: ImportTask['step'], files: ImportTask['files'], error = false): ImportTask =>
  anImportTask(step, {
    id: crypto.randomUUID(),
    patientId,
    customerId: patientId,
    error,
    totalFilesCount: 3,
    files,
  });

/** Fakes an API with these imports, and a patient page with the tray. */
const page = async (held: ImportTask[], query: OpenImportsQuery = { patientId }) => {
  const parsed: string[] = [];
  const withdrawn: string[] = [];
  const onWaiting = vi.fn<() => void>();
  const addFiles = vi.fn<AppContext['addFiles']>();
  const taskWith = (id: string) => {
    const task = held.find((one) => one.id === id);
    if (!task) throw new Error(`unknown import ${id}`);
    return structuredClone(task);
  };
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(async () => ({ id: held[0]?.id ?? '' })),
      uploadFiles: fromCallback(() => {}),
      fetchImport: fromPromise(async ({ input }: { input: { taskId: string } }) => taskWith(input.taskId)),
      withdrawImport: fromPromise(async ({ input }: { input: { taskId: string } }) => {
        withdrawn.push(input.taskId);
        return { id: input.taskId };
      }),
      parseImport: fromPromise<{ id: string }, ParseInput>(async ({ input }) => {
        parsed.push(input.taskId);
        return { id: input.taskId };
      }),
    },
  });
  const clock = new SimulatedClock();
  const tray = createActor(
    importsMachine.provide({
      actors: { importStudy: study, restoreTray: fromPromise<readonly StoredImport[], void>(async () => []) },
    }),
    { clock },
  ).start();
  const reading = {
    importsOpen: () => ({ queryKey: ['imports'], queryFn: async () => [...held] }),
    patient: () => ({
      queryKey: ['patient'],
      queryFn: async () => ({ mainInfo: { firstName: 'Anna', lastName: 'Lind', personalNumber: '', birthDate: null } }),
    }),
  } as unknown as AppQueries;
  const Page = () => {
    useOpenImports(tray, query, onWaiting);
    return <ImportTray actor={tray} isConnectionLost={false} />;
  };
  const open = () =>
    show(
      <AppQueriesProvider value={reading}>
        <AppContextProvider value={{ addFiles } as unknown as AppContext}>
          <Page />
        </AppContextProvider>
      </AppQueriesProvider>,
    );
  const settle = () => act(() => new Promise<void>((resolve) => setImmediate(resolve)));
  const wait = async (ms: number) => {
    await act(async () => clock.increment(ms));
    await settle();
  };
  const known = () => selectImports(tray.getSnapshot()).map(({ actor }) => actor.getSnapshot().context.taskId);
  return { tray, open, wait, settle, known, parsed, withdrawn, onWaiting, addFiles };
};

it('shows the files of an interrupted upload, and parses them only on request', async () => {
  const task = taskOf(0, [fileOf('a.dcm'), fileOf('b.dcm')]);
  const { open, wait, parsed, onWaiting, addFiles } = await page([task]);
  await open();
  await screen.findByText('2 of 3 files');
  expect(onWaiting).toHaveBeenCalledOnce();
  // Another session may still be uploading, so it is only watched first.
  expect(screen.queryByRole('button', { name: 'Import uploaded files' })).toBeNull();
  task.files.push(fileOf('c.dcm'));
  await wait(quietMs);
  await screen.findByText('3 of 3 files');
  expect(screen.queryByRole('button', { name: 'Import uploaded files' })).toBeNull();
  await wait(quietMs);
  expect(await screen.findByText('3 of 3 files were uploaded before the upload stopped')).toBeTruthy();
  expect(parsed).toEqual([]);

  const more = new File(['x'], 'd.dcm');
  await userEvent.upload(screen.getByTestId('import-files'), more, { applyAccept: false });
  expect(addFiles.mock.calls[0]?.[1]).toEqual([{ file: more, path: 'd.dcm' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Import uploaded files' }));
  expect(parsed).toEqual([task.id]);
  expect(screen.queryByRole('button', { name: 'Import uploaded files' })).toBeNull();
});

it('discards an interrupted upload after confirmation', async () => {
  const task = taskOf(0, [fileOf('a.dcm'), fileOf('b.dcm')]);
  const { open, wait, known, withdrawn } = await page([task]);
  await open();
  await screen.findByText('2 of 3 files');
  await wait(quietMs);
  await userEvent.click(await screen.findByRole('button', { name: 'Discard uploaded files' }));
  const dialog = within(screen.getByRole('alertdialog'));
  expect(dialog.getByText(/2 uploaded files/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel import' }));
  expect(withdrawn).toEqual([task.id]);
  expect(known()).toEqual([]);
});

it('names what was sent by its sender and its study, and offers it for decision, also when none of it could be read', async () => {
  const source = { kind: 'dicom', name: 'Panorama 1' } as const;
  const anna = {
    id: patientId,
    firstName: 'Anna',
    lastName: 'Lind',
    personalNumber: '',
    birthDate: null,
    protectedIdentity: false,
  };
  const waiting = {
    ...taskOf(3, [{ ...fileOf('x.dcm', 'differs'), status: 'parsed' as const }]),
    name: '',
    patientId: null,
    source,
    studies: [anImportStudy({ description: 'Check-up', patient: anna, match: 'same' as const })],
  };
  const refused = { ...fileOf('y.dcm'), status: 'refused' as const, problem: 'not-dicom' as const };
  const failed = { ...taskOf(3, [refused], true), name: '', patientId: null, source };
  const { open, withdrawn } = await page([waiting, failed], { customerId: patientId });
  await open();
  const row = within(await screen.findByRole('listitem', { name: 'From Panorama 1: Check-up' }));
  expect((await row.findByRole('link', { name: 'Anna Lind' })).getAttribute('href')).toBe(`/patient/${patientId}`);
  expect(row.getByRole('button', { name: 'Cancel import' })).toBeTruthy();
  const other = within(await screen.findByRole('listitem', { name: 'From Panorama 1' }));
  expect(await other.findByText('The file is neither DICOM nor a supported picture')).toBeTruthy();
  await userEvent.click(other.getByRole('button', { name: 'Cancel import' }));
  const question = within(other.getByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Cancel import' }));
  expect(withdrawn).toEqual([failed.id]);
  expect(screen.queryByRole('listitem', { name: 'From Panorama 1' })).toBeNull();
});

it('adds each open import of the server once, and none that is done or empty', async () => {
  const differs = { ...fileOf('x.dcm', 'differs'), status: 'parsed' as const };
  const [reading, waiting] = [taskOf(2, [fileOf('a.dcm')]), taskOf(3, [differs])];
  const { open, known, settle } = await page([reading, waiting, taskOf(0, []), taskOf(1, [], true)]);
  const first = await open();
  expect(await screen.findByText('Needs your decision')).toBeTruthy();
  expect(new Set(known())).toEqual(new Set([reading.id, waiting.id]));
  // Reopened: no duplicates, and removed rows stay removed.
  first.unmount();
  const second = await open();
  await settle();
  expect(known()).toHaveLength(2);
  const row = () => screen.getByText('Needs your decision').closest('li') as HTMLElement;
  await userEvent.click(within(row()).getByRole('button', { name: 'Cancel import' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel import' }));
  expect(known()).toEqual([reading.id]);
  second.unmount();
  await open();
  await settle();
  expect(known()).toEqual([reading.id]);
});

it('does not treat its own upload as one of another session', async () => {
  const own = taskOf(0, [fileOf('a.dcm')]);
  const { tray, open, settle, known, onWaiting } = await page([own]);
  tray.send({
    type: 'imports.chosen',
    patientId,
    customerId: patientId,
    groups: [{ id: 'own', kind: 'dicom', name: 'a.dcm', files: [chosen], leftOut: [] }],
  });
  await settle();
  await open();
  await settle();
  await screen.findByText('Anna Lind');
  expect(known()).toEqual([own.id]);
  expect(onWaiting).not.toHaveBeenCalled();
});
