import { afterAll, expect, it } from 'vitest';
import { createActor, type EventObject, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { ImportTask } from '../../contract/imports.ts';
import type { BeginInput, ParseInput, UploadInput } from '../../src/machines/import-study/import-study.events.ts';
import {
  importStudyMachine,
  selectIsFailed,
  selectIsPaused,
  selectPercent,
  selectStep,
} from '../../src/machines/import-study/import-study.machine.ts';
import { importsMachine, selectImportCount, selectImports } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { anImportTask } from '../an-import.ts';
import { nameOf, transitionsOf } from '../paths.ts';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const customerId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c03';
const [one, two, left] = ['11111111-1111-4111-8111-111111111111', '2222', '3333'] as const;
const file = (key: string) => ({ key, path: `${key}.dcm`, name: `${key}.dcm`, sizeBytes: 100 });
const group = (id: string, ...keys: string[]) => ({
  id,
  kind: 'dicom' as const,
  name: id,
  files: keys.map(file),
  leftOut: [],
});
const found = (taskId: string) =>
  ({ type: 'import.found', taskId, patientId, customerId, kind: 'dicom', name: taskId }) as const;
const storedImport = (id: string, facts: Partial<StoredImport> = {}): StoredImport => ({
  id,
  patientId,
  customerId,
  kind: 'dicom',
  name: id,
  taskId: id,
  paused: false,
  files: [{ ...file(`${id}-a`), status: 'waiting', failure: null }],
  ...facts,
});
const taken = new Set<string>();
const settled = () => new Promise(setImmediate);

const tray = (restore: Promise<readonly StoredImport[]> = Promise.resolve([])) => {
  const steps = new Map<string, ImportTask['step']>();
  const begun: BeginInput[] = [];
  const sending: string[] = [];
  const fetched: string[] = [];
  const study = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise(async ({ input }: { input: BeginInput }) => {
        begun.push(input);
        return { id: input.id ?? '' };
      }),
      uploadFiles: fromCallback<EventObject, UploadInput>(({ input }) => {
        sending.push(input.taskId);
        return () => sending.splice(sending.indexOf(input.taskId), 1);
      }),
      parseImport: fromPromise(async ({ input }: { input: ParseInput }) => ({ id: input.taskId })),
      fetchImport: fromPromise(async ({ input }: { input: { taskId: string } }): Promise<ImportTask> => {
        fetched.push(input.taskId);
        return anImportTask(steps.get(input.taskId) ?? 2, { id: input.taskId, patientId, customerId });
      }),
    },
  });
  const machine = importsMachine.provide({ actors: { importStudy: study, restoreTray: fromPromise(() => restore) } });
  const clock = new SimulatedClock();
  const actor = createActor(machine, {
    clock,
    inspect: (inspected) => {
      if (
        inspected.type === '@xstate.microstep' &&
        'logic' in inspected.actorRef &&
        inspected.actorRef.logic === machine
      )
        for (const transition of inspected._transitions) taken.add(nameOf(transition));
    },
  }).start();
  const studyOf = (id: string) => {
    const mine = selectImports(actor.getSnapshot()).find((each) => each.id === id);
    if (!mine) throw new Error(`no import ${id}`);
    return mine.actor;
  };
  const ids = () => selectImports(actor.getSnapshot()).map(({ id }) => id);
  const choose = (...groups: ReturnType<typeof group>[]) =>
    actor.send({ type: 'imports.chosen', patientId, customerId, groups });
  return { actor, studyOf, ids, choose, steps, begun, sending, fetched, clock };
};

it('runs imports side by side, each with its own events', async () => {
  const { actor, studyOf, ids, choose, sending, fetched, steps, begun } = tray();
  choose(group('empty'));
  choose(group(one, 'a'), group(two, 'b', 'c'));
  await settled();
  expect(ids()).toEqual([two, one]);
  // The archive creates each task under the id from the browser: a lost reply creates nothing twice.
  expect(begun.map(({ id, totalFilesCount }) => [id, totalFilesCount])).toEqual([
    [one, 1],
    [two, 2],
  ]);

  const first = studyOf(one);
  first.send({ type: 'upload.progressed', changes: [{ key: 'a', status: 'uploaded' }], bytesPerSecond: 5 });
  first.send({ type: 'upload.finished', aws: null });
  await settled();
  actor.send({
    type: 'hub-event.received',
    hubEvent: { name: 'progress', body: { taskId: one, percent: 40, step: 2 } },
  });
  expect(selectStep(first.getSnapshot())).toBe('parsing');
  expect(selectPercent(first.getSnapshot())).toBe(40);
  expect(selectStep(studyOf(two).getSnapshot())).toBe('uploading');

  // An import that is listed already is not added twice, whether started here or found.
  actor.send(found(one));
  expect(selectImportCount(actor.getSnapshot())).toBe(2);
  steps.set(left, 5);
  actor.send(found(left));
  actor.send(found(left));
  expect(ids()).toEqual([left, two, one]);
  await settled();
  expect(studyOf(left).getSnapshot().matches('done')).toBe(true);

  // Events may have been lost: after an interruption, imports that wait for events fetch their status.
  fetched.length = 0;
  actor.send({ type: 'connection.restored' });
  await settled();
  expect(fetched).toEqual([one]);

  actor.send({ type: 'settled.cleared' });
  expect(ids()).toEqual([two, one]);
  expect(actor.getSnapshot().can({ type: 'settled.cleared' })).toBe(false);

  // Removal from the list stops the upload.
  expect(sending).toEqual([two]);
  actor.send({ type: 'import.removed', id: two });
  expect(sending).toEqual([]);
  expect(ids()).toEqual([one]);
  expect(actor.getSnapshot().can({ type: 'import.removed', id: two })).toBe(false);
});

it('never has one file in two imports, nor one import twice', async () => {
  const { ids, choose, studyOf } = tray();
  choose(group(one, 'a', 'b'), group(two, 'b', 'c'), group(one, 'd'), group(left, 'a'));
  expect(ids()).toEqual([two, one]);
  choose(group(two, 'e'), group(left, 'c'));
  expect(ids()).toEqual([two, one]);
  const keys = [one, two].flatMap((id) =>
    studyOf(id)
      .getSnapshot()
      .context.upload.files.map(({ key }) => key),
  );
  expect(keys.sort()).toEqual(['a', 'b', 'c']);
});

it('restores earlier imports with their files, and not as found in the archive without them', async () => {
  const restored = Promise.withResolvers<readonly StoredImport[]>();
  const { actor, ids, studyOf, steps, sending, choose } = tray(restored.promise);
  steps.set(one, 0);
  actor.send(found(one));
  actor.send(found(one));
  actor.send(found(left));
  choose(group('new', 'x'));
  expect(ids()).toEqual(['new']);
  restored.resolve([storedImport(one), storedImport(two, { taskId: null, paused: true })]);
  await settled();
  await settled();
  // The one that was chosen first is at the bottom; what only the archive has comes on top.
  expect(ids()).toEqual([left, one, two, 'new']);
  expect(sending.sort()).toEqual([one, 'new']);
  expect(selectIsPaused(studyOf(two).getSnapshot())).toBe(true);
  actor.send(found(two));
  expect(ids()).toHaveLength(4);
});

it("works without stored files when the browser's storage fails or does not reply", async () => {
  const silent = tray(new Promise<never>(() => {}));
  silent.actor.send(found(left));
  expect(silent.ids()).toEqual([]);
  silent.clock.increment(5_000);
  expect(silent.ids()).toEqual([left]);
  const refusing = tray(Promise.reject(new Error('private window')));
  refusing.actor.send(found(left));
  await settled();
  expect(refusing.ids()).toEqual([left]);
});

it('isolates a failed import from the others', async () => {
  const { choose, studyOf } = tray();
  choose(group(one, 'a'), group(two, 'b'));
  await settled();
  studyOf(two).send({ type: 'upload.broken', failure: { kind: 'unexpected' } });
  expect(selectIsFailed(studyOf(two).getSnapshot())).toBe(true);
  expect(selectStep(studyOf(one).getSnapshot())).toBe('uploading');
  expect(selectIsFailed(studyOf(one).getSnapshot())).toBe(false);
  studyOf(two).send({ type: 'import.retried' });
  expect(selectIsFailed(studyOf(two).getSnapshot())).toBe(false);
});

afterAll(() => {
  console.log(`imports: ${taken.size} of ${transitionsOf(importsMachine).length} transitions`);
  expect([...taken].sort()).toEqual([...transitionsOf(importsMachine)].sort());
});
