import { fromCallback, fromPromise } from 'xstate';
import type { ImportStep, ImportTask } from '../../contract/imports.ts';
import type { BeginInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { type ImportsActor, importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { anImportTask } from '../an-import.ts';
import { done, failed, offline } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const file = (key: string) => ({ key, path: `${key}.dcm`, name: `${key}.dcm`, sizeBytes: 100 });
const group = (id: string, ...keys: string[]) => ({ id, kind: 'dicom', name: id, files: keys.map(file), leftOut: [] });
const whose = { patientId: 'patient-1', customerId: 'clinic-1' };

const chosen = (...groups: readonly ReturnType<typeof group>[]) => ({ type: 'imports.chosen', ...whose, groups });
const started = (...groups: readonly ReturnType<typeof group>[]) => ({ type: 'imports.started', ...whose, groups });
const found = (taskId: string) => ({ type: 'import.found', taskId, ...whose, kind: 'dicom', name: taskId });
const storedImport = (id: string) => ({ ...group(id, `${id}-a`), ...whose, taskId: null, paused: true });
const restored = (...ids: readonly string[]) => done('restoreTray', ids.map(storedImport));
const removed = (id: string) => ({ type: 'import.removed', id });
const cleared = { type: 'settled.cleared' };
const back = { type: 'connection.restored' };
const progress = (taskId: string) => ({
  type: 'hub-event.received',
  hubEvent: { name: 'progress', body: { taskId, step: 2, percent: 40 } },
});
const ofPictures = { type: 'hub-event.received', hubEvent: { name: 'thumbnailsReady', body: { imageUids: [] } } };

/** Imports whose status was fetched, rule by rule. */
const fetchedOf = new WeakMap<object, Set<string>>();

/** An archive in which an import is in the step that it is named after; it replies once. */
const importStudy = importStudyMachine.provide({
  actors: {
    beginImport: fromPromise<{ id: string }, BeginInput>(() => new Promise(() => {})),
    uploadFiles: fromCallback(() => {}),
    fetchImport: fromPromise<ImportTask, { taskId: string }>(async ({ input: { taskId }, system }) => {
      const fetched = fetchedOf.get(system) ?? new Set();
      fetchedOf.set(system, fetched);
      if (fetched.has(taskId)) return new Promise(() => {});
      fetched.add(taskId);
      if (taskId.startsWith('failed')) return anImportTask('preparing', { id: taskId, error: true });
      return anImportTask(taskId.replace(/-.*/, '') as ImportStep, { id: taskId, files: [] });
    }),
  },
});

/** An import as the list shows it: kind, step, progress and files. */
const begun = (id: string, files: string) => [
  `${id} patient-1 clinic-1 dicom ${id} `,
  { uploading: 'beginning' },
  0,
  files,
];
const paused = (id: string) => [`${id} patient-1 clinic-1 dicom ${id} `, { uploading: 'paused' }, 0, `${id}-a`];
const listed = (id: string, step: string, percent = 0, doing = 'listening') => [
  `${id} patient-1 clinic-1 dicom ${id} ${id}`,
  { [step]: doing },
  percent,
  '',
];

/** Calls no port, and may be disabled in the view. */
const nothing = { ignored: true };

const empty = [restored()];

rulesOf(
  {
    machine: importsMachine.provide({ actors: { importStudy } }),
    keep: ['importStudy'],
    facts: ({ context: { imports, found: waiting }, children }) => ({
      tray: (imports as ReturnType<ImportsActor['getSnapshot']>['context']['imports']).map(
        ({ id, patientId, customerId, kind, name, taskId, actor }) => {
          const { value, context } = actor.getSnapshot();
          const { files } = context.upload;
          return [
            [id, patientId, customerId, kind, name, taskId].join(' '),
            value,
            context.percent,
            files.map(({ key }) => key).join(' '),
          ];
        },
      ),
      waiting: (waiting as readonly { taskId: string }[]).map(({ taskId }) => taskId),
      atWork: Object.keys(children).sort().join(' '),
    }),
  },
  {
    'first restores what an earlier session left': [
      [[], 'restoring', { calls: [['restoreTray']], learns: { tray: [], waiting: [], atWork: 'restoreTray' } }],
      [empty, 'open', { learns: { atWork: '' } }],
      [
        [restored('first', 'second')],
        'open',
        {
          learns: {
            tray: [paused('first'), paused('second')],
            atWork: 'first second',
          },
        },
      ],
      [[failed('restoreTray', offline)], 'open', { learns: { atWork: '' } }],
      [[4_999], 'restoring'],
      [[5_000], 'open', { learns: { atWork: '' } }],
    ],
    "buffers the imports found in the archive until the browser's own are restored": [
      [[found('preparing-1')], 'restoring', { learns: { waiting: ['preparing-1'] } }],
      [[found('preparing-1'), found('preparing-1')], 'restoring', nothing],
      [
        [found('preparing-1'), found('parsing-2'), restored()],
        'open',
        {
          learns: {
            tray: [listed('parsing-2', 'parsing'), listed('preparing-1', 'preparing')],
            waiting: [],
            atWork: 'parsing-2 preparing-1',
          },
        },
      ],
      [
        [found('preparing-1'), found('parsing-2'), 5_000],
        'open',
        {
          learns: {
            tray: [listed('parsing-2', 'parsing'), listed('preparing-1', 'preparing')],
            waiting: [],
            atWork: 'parsing-2 preparing-1',
          },
        },
      ],
      [
        [found('preparing-1'), failed('restoreTray', offline)],
        'open',
        {
          learns: {
            tray: [listed('preparing-1', 'preparing')],
            waiting: [],
            atWork: 'preparing-1',
          },
        },
      ],
      [
        [found('preparing-1'), restored('first')],
        'open',
        {
          learns: {
            tray: [listed('preparing-1', 'preparing'), paused('first')],
            waiting: [],
            atWork: 'first preparing-1',
          },
        },
      ],
    ],
    'adds chosen files, but no file twice and no empty selection': [
      [
        [...empty, chosen(group('one', 'a', 'b'), group('two', 'c'))],
        'open',
        {
          emitted: [started(group('one', 'a', 'b'), group('two', 'c'))],
          learns: {
            tray: [begun('two', 'c'), begun('one', 'a b')],
            atWork: 'one two',
          },
        },
      ],
      [
        [...empty, chosen(group('one', 'a')), chosen(group('two', 'a', 'b'))],
        'open',
        {
          emitted: [started(group('two', 'b'))],
          learns: {
            tray: [begun('two', 'b'), begun('one', 'a')],
            atWork: 'one two',
          },
        },
      ],
      [[...empty, chosen(group('one', 'a')), chosen(group('two', 'a'))], 'open', nothing],
      [[...empty, chosen(group('one', 'a')), chosen(group('one', 'b'))], 'open', nothing],
      [
        [chosen(group('one', 'a'))],
        'restoring',
        {
          emitted: [started(group('one', 'a'))],
          learns: {
            tray: [begun('one', 'a')],
            atWork: 'one restoreTray',
          },
        },
      ],
      [
        [chosen(group('one', 'a')), restored('one', 'first')],
        'open',
        {
          learns: {
            tray: [paused('first'), begun('one', 'a')],
            atWork: 'first one',
          },
        },
      ],
    ],
    'adds imports found in the archive once': [
      [
        [...empty, found('preparing-1')],
        'open',
        {
          learns: {
            tray: [listed('preparing-1', 'preparing')],
            atWork: 'preparing-1',
          },
        },
      ],
      [[...empty, found('preparing-1'), found('preparing-1')], 'open', nothing],
      [
        [...empty, found('preparing-1'), found('parsing-2')],
        'open',
        {
          learns: {
            tray: [listed('parsing-2', 'parsing'), listed('preparing-1', 'preparing')],
            atWork: 'parsing-2 preparing-1',
          },
        },
      ],
    ],
    'stops and forgets removed imports': [
      [
        [...empty, found('preparing-1'), found('parsing-2'), removed('preparing-1')],
        'open',
        {
          learns: {
            tray: [listed('parsing-2', 'parsing')],
            atWork: 'parsing-2',
          },
        },
      ],
      [[...empty, found('preparing-1'), removed('another')], 'open', nothing],
    ],
    'clears settled imports and nothing else': [
      [
        [...empty, found('preparing-1'), found('failed-2'), cleared],
        'open',
        {
          learns: {
            tray: [listed('preparing-1', 'preparing')],
            atWork: 'preparing-1',
          },
        },
      ],
      [
        [...empty, found('preparing-1'), found('done-2'), cleared],
        'open',
        {
          learns: {
            tray: [listed('preparing-1', 'preparing')],
            atWork: 'preparing-1',
          },
        },
      ],
      [[...empty, found('preparing-1'), cleared], 'open', nothing],
    ],
    'forwards events to every running import': [
      [
        [...empty, found('preparing-1'), found('preparing-2'), progress('preparing-2')],
        'open',
        {
          learns: {
            tray: [listed('preparing-2', 'parsing', 40), listed('preparing-1', 'preparing')],
          },
        },
      ],
      [[...empty, found('preparing-1'), ofPictures], 'open', nothing],
      [
        [...empty, found('preparing-1'), found('parsing-2'), back],
        'open',
        {
          learns: {
            tray: [listed('parsing-2', 'parsing', 0, 'checking'), listed('preparing-1', 'preparing', 0, 'checking')],
          },
        },
      ],
      [[...empty, back], 'open', { ignored: false }],
    ],
  },
);
