import { setup } from 'xstate';
import { importSteps } from '../../../contract/imports.ts';
import type { ImportInput, importStudyMachine } from '../../../src/machines/import-study/import-study.machine.ts';
import type { ChosenFile } from '../../../src/machines/import-study/upload.rules.ts';
import { importsMachine } from '../../../src/machines/imports/imports.machine.ts';
import type { StoredImport, TrayImport } from '../../../src/machines/imports/imports.rules.ts';
import { done, failed, type Model, offline } from '../../paths.ts';

/** An import that stays as it was when it was added: running, or ended as in its name. */
const standingStudy = setup({
  types: {
    context: {} as { taskId: string | null; name: string; upload: { places: Record<string, number> } },
    input: {} as ImportInput,
  },
  guards: { called: ({ context }, name: string) => context.name === name },
}).createMachine({
  id: 'standing-study',
  context: ({ input: { taskId, name, files } }) => ({
    taskId,
    name,
    upload: { places: Object.fromEntries(files.map(({ key }: ChosenFile, index) => [key, index])) },
  }),
  initial: 'arrived',
  states: {
    arrived: {
      always: [
        { guard: { type: 'called', params: 'failed' }, target: 'failed' },
        { guard: { type: 'called', params: 'done' }, target: 'done' },
        { target: 'uploading' },
      ],
    },
    uploading: {},
    failed: {},
    done: { type: 'final' },
  },
});

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const customerId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c03';
const [chosenId, leftId, strangeId] = ['chosen', 'left', 'strange'] as const;

const file = (key: string): ChosenFile => ({ key, path: `${key}.dcm`, name: `${key}.dcm`, sizeBytes: 100 });
const group = (id: string, ...keys: readonly string[]) => ({
  id,
  kind: 'dicom',
  name: 'folder',
  files: keys.map(file),
  leftOut: [],
});
const chosen = (...groups: readonly ReturnType<typeof group>[]) => ({
  type: 'imports.chosen',
  patientId,
  customerId,
  groups,
});
const found = (taskId: string, name: string) => ({
  type: 'import.found',
  taskId,
  patientId,
  customerId,
  kind: 'dicom',
  name,
});
const storedImport = (id: string, name: string, key: string): StoredImport => ({
  id,
  patientId,
  customerId,
  kind: 'dicom',
  name,
  taskId: id,
  paused: false,
  files: [{ ...file(key), status: 'waiting', failure: null }],
});

/** imports.test.ts covers that events reach every running import. */
const hubEvents = [
  { name: 'progress', body: { taskId: chosenId, percent: 40, step: importSteps.parsing } },
  { name: 'ViewsetChanged', body: { patientId, viewsetId: 'v', version: 2 } },
].map((hubEvent) => ({ type: 'hub-event.received', hubEvent }));

const importsOf = (context: { imports: readonly TrayImport[] }) => context.imports;

/** The import list: stored, chosen and found imports, removal and clearing. */
export const tray: Model = {
  name: 'tray',
  machine: importsMachine.provide({
    actors: { importStudy: standingStudy as unknown as typeof importStudyMachine },
  }),
  events: [
    chosen(group(chosenId, 'a', 'b'), group('other', 'b')),
    chosen(group('second', 'b', 'c')),
    chosen(group('empty')),
    found(leftId, 'left'),
    found(strangeId, 'failed'),
    { type: 'import.removed', id: chosenId },
    { type: 'import.removed', id: leftId },
    { type: 'settled.cleared' },
    ...hubEvents,
    { type: 'connection.restored' },
    done('restoreTray', []),
    done('restoreTray', [
      storedImport(leftId, 'left', 'd'),
      storedImport('ended', 'done', 'e'),
      storedImport(leftId, 'again', 'f'),
    ]),
    failed('restoreTray', offline),
  ],
  facts: ({ context }) => ({
    imports: importsOf(context as never).map(({ id, name }) => [id, name]),
    found: (context as { found: readonly { taskId: string }[] }).found.map(({ taskId }) => taskId),
  }),
  stopWhen: ({ context }) => importsOf(context as never).length > 2,
};

/** The machine's own event, never sent from outside. */
export const raised = ['tray.restored'];
