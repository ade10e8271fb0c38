import { act, cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createActor, type EventObject, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import type { UploadInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { ImportTray } from '../../src/views/import/import-tray.tsx';
import { anImportFile, anImportTask } from '../an-import.ts';
import { show } from './render.tsx';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const failedAt = (step: 'parsing' | 'validation' | 'importing'): ImportTask =>
  anImportTask(step, {
    patientId,
    error: true,
    totalFilesCount: 1,
    files: [anImportFile({ fileName: 'one.dcm', status: 'refused', problem: 'storage-failed' })],
  });

const chosen = { key: 'a', name: 'one.dcm', path: 'one.dcm', sizeBytes: 1 };
const ofPatient = { patientId, customerId: patientId, kind: 'dicom', name: 'one.dcm' } as const;

/** The tray of a page whose archive has this import, and whose browser has stored some. */
const trayOf = (task: ImportTask, stored: readonly StoredImport[]) => {
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(async () => ({ id: task.id })),
      uploadFiles: fromCallback<EventObject, UploadInput>(({ sendBack, input }) => {
        const changes = input.files.map(({ key }) => ({ key, status: 'uploaded' as const }));
        sendBack({ type: 'upload.progressed', changes, bytesPerSecond: null });
        sendBack({ type: 'upload.finished', aws: null });
      }),
      parseImport: fromPromise(async () => ({ id: task.id })),
      fetchImport: fromPromise(async () => structuredClone(task)),
    },
  });
  const restoreTray = fromPromise<readonly StoredImport[], void>(async () => stored);
  const clock = new SimulatedClock();
  const imports = importsMachine.provide({ actors: { importStudy: study, restoreTray } });
  const tray = createActor(imports, { clock }).start();
  return { tray, clock };
};

const open = async (task: ImportTask, stored: readonly StoredImport[] = []) => {
  const { tray, clock } = trayOf(task, stored);
  const queries = {
    patient: () => ({
      queryKey: ['patient'],
      queryFn: async () => ({ mainInfo: { firstName: 'Anna', lastName: 'Lind', personalNumber: '', birthDate: null } }),
    }),
  } as unknown as AppQueries;
  await show(
    <AppQueriesProvider value={queries}>
      <AppContextProvider value={{} as AppContext}>
        <ImportTray actor={tray} isConnectionLost={false} />
      </AppContextProvider>
    </AppQueriesProvider>,
  );
  return { tray, clock };
};

/** What the row says, once its counts are shown. */
const words = async (count: string) => {
  await screen.findByText(/^Stopped at: /);
  await screen.findByText(count);
  await screen.findByText(/^1 file was rejected/);
  const row = await screen.findByRole('listitem', { name: 'one.dcm' });
  await screen.findByText('Anna Lind');
  return row.textContent;
};

it.each([
  ['parsing', '0 of 1 file'],
  ['validation', '1 of 1 file'],
  ['importing', '0 of 1 file'],
] as const)('an import that stopped at %s says the same after a reload', async (step, count) => {
  const task = failedAt(step);
  const { tray, clock } = await open(task);
  await act(async () => {
    tray.send({
      type: 'imports.chosen',
      patientId,
      customerId: patientId,
      groups: [{ id: 'group', kind: 'dicom', name: 'one.dcm', leftOut: [], files: [chosen] }],
    });
  });
  await act(async () => clock.increment(10_000));
  const before = await words(count);
  cleanup();
  const file = { ...chosen, status: 'uploaded', failure: null } as const;
  await open(task, [{ ...ofPatient, id: 'group', taskId: task.id, paused: false, files: [file] }]);
  expect(await words(count)).toBe(before);
});
