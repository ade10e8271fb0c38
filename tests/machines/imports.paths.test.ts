import { expect, it } from 'vitest';
import { type ImportsActor, selectImportCount, selectImports } from '../../src/machines/imports/imports.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { raised, tray } from './models/imports.ts';

type Snapshot = ReturnType<ImportsActor['getSnapshot']>;

/** As they are called by the model: those that failed or were done when they came. */
const endedOf = (snapshot: Snapshot) =>
  selectImports(snapshot)
    .filter(({ name }) => name === 'failed' || name === 'done')
    .map(({ id }) => id);

const idsOf = (snapshot: Snapshot | undefined) => (snapshot ? selectImports(snapshot).map(({ id }) => id) : []);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const imports = selectImports(snapshot);
  const { found } = snapshot.context;
  const ids = imports.map(({ id }) => id);
  expect(selectImportCount(snapshot), way).toBe(imports.length);
  // One actor for each import, and none for what has left.
  const children = Object.keys(snapshot.children).filter((id) => id !== 'restoreTray');
  expect(children.sort(), way).toEqual([...ids].sort());
  for (const { id, actor } of imports) expect(snapshot.children[id], way).toBe(actor);
  // No import is there twice, found or begun here, and no file is in two of them.
  const tasks = [...imports, ...found].flatMap(({ taskId }) => (taskId === null ? [] : [taskId]));
  expect([new Set(ids).size, new Set(tasks).size], way).toEqual([ids.length, tasks.length]);
  const files = imports.flatMap(({ actor }) => Object.keys(actor.getSnapshot().context.upload.places));
  expect(new Set(files).size, way).toBe(files.length);
  for (const taskId of tasks) expect(snapshot.can({ ...someFound, taskId }), way).toBe(false);
  // What is found waits only for as long as it is not known what the browser has of it.
  expect('restoreTray' in snapshot.children, way).toBe(snapshot.matches('restoring'));
  if (snapshot.matches('open')) expect(found, way).toEqual([]);
  else
    expect(
      imports.every(({ taskId }) => taskId === null),
      way,
    ).toBe(true);
  // What can be removed is what is there; what can be cleared is what has ended.
  for (const id of ['chosen', 'left', 'strange'])
    expect(snapshot.can({ type: 'import.removed', id }), way).toBe(ids.includes(id));
  expect(snapshot.can({ type: 'settled.cleared' }), way).toBe(endedOf(snapshot).length > 0);
};

const someFound = { type: 'import.found', patientId: null, customerId: 'c', kind: 'dicom', name: 'n' } as const;

it('walks every transition of the tray: what ended goes when it is cleared, one goes when it is removed, nothing else ever does', () =>
  walkAll([{ ...tray, invariants }], {
    raised,
    keep: ['importStudy'],
    check: (_, path) => {
      const way = path.steps.map(({ event }) => event.type).join(' -> ');
      for (const [index, { event, state }] of path.steps.entries()) {
        const before = path.steps[index - 1]?.state as Snapshot | undefined;
        const after = idsOf(state as Snapshot);
        const gone = idsOf(before).filter((id) => !after.includes(id));
        if (event.type === 'settled.cleared') expect(gone, way).toEqual(before && endedOf(before));
        else expect(gone, way).toEqual(event.type === 'import.removed' ? [event.id] : []);
        // What comes, comes on top.
        expect(after.slice(after.length - idsOf(before).length + gone.length), way).toEqual(
          idsOf(before).filter((id) => !gone.includes(id)),
        );
      }
    },
  }));
