import { expect, it } from 'vitest';
import { type ImportsActor, selectImportCount, selectImports } from '../../src/machines/imports/imports.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { raised, tray } from './models/imports.ts';

type Snapshot = ReturnType<ImportsActor['getSnapshot']>;

/** Ids by the model's naming: those that had failed or were done when they were added. */
const endedOf = (snapshot: Snapshot) =>
  selectImports(snapshot)
    .filter(({ name }) => name === 'failed' || name === 'done')
    .map(({ id }) => id);

const idsOf = (snapshot: Snapshot | undefined) => (snapshot ? selectImports(snapshot).map(({ id }) => id) : []);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const imports = selectImports(snapshot);
  const { found } = snapshot.context;
  const ids = imports.map(({ id }) => id);
  expect(selectImportCount(snapshot), label).toBe(imports.length);
  // One actor for each import, and none for removed ones.
  const children = Object.keys(snapshot.children).filter((id) => id !== 'restoreTray');
  expect(children.sort(), label).toEqual([...ids].sort());
  for (const { id, actor } of imports) expect(snapshot.children[id], label).toBe(actor);
  // No import is listed twice, found or started here, and no file is in two of them.
  const tasks = [...imports, ...found].flatMap(({ taskId }) => (taskId === null ? [] : [taskId]));
  expect([new Set(ids).size, new Set(tasks).size], label).toEqual([ids.length, tasks.length]);
  const files = imports.flatMap(({ actor }) => Object.keys(actor.getSnapshot().context.upload.places));
  expect(new Set(files).size, label).toBe(files.length);
  for (const taskId of tasks) expect(snapshot.can({ ...someFound, taskId }), label).toBe(false);
  // Found imports are buffered only until the browser's own are restored.
  expect('restoreTray' in snapshot.children, label).toBe(snapshot.matches('restoring'));
  if (snapshot.matches('open')) expect(found, label).toEqual([]);
  else
    expect(
      imports.every(({ taskId }) => taskId === null),
      label,
    ).toBe(true);
  // Only listed imports can be removed; only settled ones can be cleared.
  for (const id of ['chosen', 'left', 'strange'])
    expect(snapshot.can({ type: 'import.removed', id }), label).toBe(ids.includes(id));
  expect(snapshot.can({ type: 'settled.cleared' }), label).toBe(endedOf(snapshot).length > 0);
};

const someFound = { type: 'import.found', patientId: null, customerId: 'c', kind: 'dicom', name: 'n' } as const;

it('walks every transition of the import list: settled imports go when cleared, one goes when removed, no other ever does', () =>
  walkAll([{ ...tray, invariants }], {
    raised,
    keep: ['importStudy'],
    check: (_, path) => {
      const label = path.steps.map(({ event }) => event.type).join(' -> ');
      for (const [index, { event, state }] of path.steps.entries()) {
        const before = path.steps[index - 1]?.state as Snapshot | undefined;
        const after = idsOf(state as Snapshot);
        const gone = idsOf(before).filter((id) => !after.includes(id));
        if (event.type === 'settled.cleared') expect(gone, label).toEqual(before && endedOf(before));
        else expect(gone, label).toEqual(event.type === 'import.removed' ? [event.id] : []);
        // New imports are added on top.
        expect(after.slice(after.length - idsOf(before).length + gone.length), label).toEqual(
          idsOf(before).filter((id) => !gone.includes(id)),
        );
      }
    },
  }));
