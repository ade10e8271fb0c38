import { expect, it } from 'vitest';
import { createActor, type EventObject, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import {
  importStudyMachine,
  selectIsFailed,
  selectPercent,
  selectStep,
} from '../../src/machines/import-study/import-study.machine.ts';
import type { ChosenFile } from '../../src/machines/import-study/import-study.rules.ts';
import { importsMachine, selectImports } from '../../src/machines/imports/imports.machine.ts';
import { anImportTask } from '../an-import.ts';
import { nameOf, transitionsOf } from '../paths.ts';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const taskIds = ['8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d01', '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d02'] as const;
const left = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d03';
const file = (key: string) => ({ key, name: `${key}.dcm`, sizeBytes: 100 });

const tray = () => {
  const steps = new Map<string, ImportTask['step']>();
  const stopped: string[] = [];
  const fetched: string[] = [];
  const taken = new Set<string>();
  const begun = [...taskIds];
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(async () => ({ id: begun.shift() ?? '' })),
      uploadFiles: fromCallback<EventObject, { taskId: string; files: readonly ChosenFile[] }>(({ input }) => () => {
        stopped.push(input.taskId);
      }),
      parseImport: fromPromise(async ({ input }: { input: { taskId: string } }) => ({ id: input.taskId })),
      confirmImport: fromPromise(async ({ input }: { input: { taskId: string; mismatchConfirmed: boolean } }) => ({
        id: input.taskId,
      })),
      fetchImport: fromPromise(async ({ input }: { input: { taskId: string } }): Promise<ImportTask> => {
        fetched.push(input.taskId);
        const step = steps.get(input.taskId) ?? 2;
        return anImportTask(step, { id: input.taskId, patientId, customerId: patientId, totalFilesCount: 1 });
      }),
    },
  });
  const machine = importsMachine.provide({ actors: { importStudy: study } });
  const actor = createActor(machine, {
    clock: new SimulatedClock(),
    inspect: (inspected) => {
      if (
        inspected.type === '@xstate.microstep' &&
        'logic' in inspected.actorRef &&
        inspected.actorRef.logic === machine
      )
        for (const transition of inspected._transitions) taken.add(nameOf(transition));
    },
  }).start();
  const studyOf = (index: number) => {
    const one = selectImports(actor.getSnapshot())[index];
    if (!one) throw new Error(`no import at ${index}`);
    return one.actor;
  };
  return { actor, studyOf, steps, stopped, fetched, taken };
};

const settled = () => new Promise(setImmediate);

it('runs imports side by side, each with its own news', async () => {
  const { actor, studyOf, stopped, fetched, steps, taken } = tray();
  actor.send({ type: 'files.chosen', patientId, files: [] });
  expect(selectImports(actor.getSnapshot())).toEqual([]);
  actor.send({ type: 'files.chosen', patientId, files: [file('a')] });
  actor.send({ type: 'files.chosen', patientId, files: [file('b')] });
  await settled();
  expect(selectImports(actor.getSnapshot()).map(({ id }) => id)).toEqual(['import-2', 'import-1']);

  const first = studyOf(1);
  first.send({ type: 'file.uploaded', key: 'a' });
  first.send({ type: 'upload.finished' });
  await settled();
  actor.send({ type: 'news.heard', news: { name: 'progress', body: { taskId: taskIds[0], percent: 40, step: 2 } } });
  expect(selectStep(first.getSnapshot())).toBe('parsing');
  expect(selectPercent(first.getSnapshot())).toBe(40);
  expect(selectStep(studyOf(0).getSnapshot())).toBe('uploading');

  // An import that the tray has already is not taken up twice, whether begun here or found.
  actor.send({ type: 'import.found', patientId, taskId: taskIds[0] });
  expect(selectImports(actor.getSnapshot())).toHaveLength(2);
  steps.set(left, 5);
  actor.send({ type: 'import.found', patientId, taskId: left });
  actor.send({ type: 'import.found', patientId, taskId: left });
  expect(selectImports(actor.getSnapshot())).toHaveLength(3);
  await settled();
  expect(studyOf(0).getSnapshot().matches('done')).toBe(true);

  // News may have been lost: after an interruption the truth is fetched by those who wait for news.
  fetched.length = 0;
  actor.send({ type: 'connection.restored' });
  await settled();
  expect(fetched).toEqual([taskIds[0]]);

  actor.send({ type: 'settled.cleared' });
  expect(selectImports(actor.getSnapshot()).map(({ id }) => id)).toEqual(['import-2', 'import-1']);
  expect(actor.getSnapshot().can({ type: 'settled.cleared' })).toBe(false);

  // Leaving the tray stops the upload.
  actor.send({ type: 'import.removed', id: 'import-2' });
  expect(stopped).toContain(taskIds[1]);
  expect(selectImports(actor.getSnapshot()).map(({ id }) => id)).toEqual(['import-1']);
  expect(actor.getSnapshot().can({ type: 'import.removed', id: 'import-2' })).toBe(false);
  console.log(`imports: ${taken.size} of ${transitionsOf(importsMachine).length} transitions`);
  expect([...taken].sort()).toEqual([...transitionsOf(importsMachine)].sort());
});

it('keeps a failed import out of the way of the others', async () => {
  const { actor, studyOf } = tray();
  actor.send({ type: 'files.chosen', patientId, files: [file('a')] });
  actor.send({ type: 'files.chosen', patientId, files: [file('b')] });
  await settled();
  studyOf(1).send({ type: 'upload.broken', failure: { kind: 'offline' } });
  expect(selectIsFailed(studyOf(1).getSnapshot())).toBe(true);
  expect(selectStep(studyOf(0).getSnapshot())).toBe('uploading');
  expect(selectIsFailed(studyOf(0).getSnapshot())).toBe(false);
  studyOf(1).send({ type: 'import.retried' });
  expect(selectIsFailed(studyOf(1).getSnapshot())).toBe(false);
});
