import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { BeginInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine, selectLeftOut } from '../../src/machines/import-study/import-study.machine.ts';
import { importsMachine, selectImports } from '../../src/machines/imports/imports.machine.ts';
import type { StoredImport } from '../../src/machines/imports/imports.rules.ts';
import { saveTray } from '../../src/machines/imports/save-imports.ts';

const settled = () => new Promise(setImmediate);
const whose = { patientId: 'patient', customerId: 'clinic' };
const file = { key: 'a', path: 'folder/a', name: 'a', sizeBytes: 10 };
const leftOut = [{ path: 'folder/run.exe', why: 'no-image' as const }];
const group = { id: 'one', kind: 'dicom' as const, name: 'folder', files: [file], leftOut };
const stored = { ...whose, id: 'stored', kind: 'dicom' as const, name: 'stored', taskId: 'task', paused: true };

/** A tray with one stored import, whose archive accepts imports; records what is stored. */
const tray = async () => {
  const calls: unknown[][] = [];
  const importStudy = importStudyMachine.provide({
    actors: {
      beginImport: fromPromise<{ id: string }, BeginInput>(async () => ({ id: 'task-one' })),
      uploadFiles: fromCallback(() => {}),
      withdrawImport: fromPromise(async () => ({ id: 'task-one' })),
    },
  });
  const restored = [{ ...stored, files: [{ ...file, key: 'b', status: 'waiting' as const, failure: null }] }];
  const restoreTray = fromPromise<readonly StoredImport[], void>(async () => restored);
  const actor = createActor(importsMachine.provide({ actors: { importStudy, restoreTray } }), {
    clock: new SimulatedClock(),
  });
  saveTray(actor, {
    begin: (...given) => calls.push(['begin', ...given]),
    change: (...given) => calls.push(['change', ...given]),
    remove: (...given) => calls.push(['remove', ...given]),
    signOut: () => calls.push(['signOut']),
  });
  actor.start();
  await settled();
  return { actor, calls };
};

it('stores a chosen import once, then each change of its task', async () => {
  const { actor, calls } = await tray();
  expect(calls).toEqual([]);
  actor.send({ type: 'imports.chosen', ...whose, groups: [group, { ...group, id: 'empty', files: [] }] });
  actor.send({ type: 'imports.chosen', ...whose, groups: [group] });
  await settled();
  expect(calls).toEqual([
    ['begin', { ...whose, id: 'one', kind: 'dicom', name: 'folder', taskId: null, paused: false }, [file]],
    ['change', 'one', { taskId: 'task-one', paused: false }],
  ]);
});

it('removes an import that was removed from the tray, but keeps all at sign-out', async () => {
  const { actor, calls } = await tray();
  actor.send({ type: 'imports.chosen', ...whose, groups: [group] });
  await settled();
  calls.length = 0;
  actor.send({ type: 'import.removed', id: 'one' });
  expect(calls).toEqual([['remove', 'one']]);
  actor.stop();
  expect(calls).toEqual([['remove', 'one'], ['signOut']]);
});

it('knows the files that were chosen with an import but not uploaded', async () => {
  const { actor } = await tray();
  actor.send({ type: 'imports.chosen', ...whose, groups: [group] });
  const leftOutOf = (id: string) => {
    const one = selectImports(actor.getSnapshot()).find((each) => each.id === id);
    return one && selectLeftOut(one.actor.getSnapshot());
  };
  expect([leftOutOf('one'), leftOutOf('stored')]).toEqual([leftOut, []]);
});
