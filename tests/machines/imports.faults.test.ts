import { fromCallback, fromPromise } from 'xstate';
import type { ImportStep, ImportTask } from '../../contract/imports.ts';
import type { BeginInput } from '../../src/machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import { type ImportsActor, importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { anImportTask } from '../an-import.ts';
import { done, failed, offline } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const file = (key: string) => ({ key, path: `${key}.dcm`, name: `${key}.dcm`, sizeBytes: 100 });
const group = (id: string, ...keys: string[]) => ({ id, kind: 'dicom', name: id, files: keys.map(file) });
const whose = { patientId: 'patient-1', customerId: 'clinic-1' };

const chosen = (...groups: readonly ReturnType<typeof group>[]) => ({ type: 'imports.chosen', ...whose, groups });
const found = (taskId: string) => ({ type: 'import.found', taskId, ...whose, kind: 'dicom', name: taskId });
const kept = (id: string) => ({ ...group(id, `${id}-a`), ...whose, taskId: null, paused: true });
const restored = (...ids: readonly string[]) => done('restoreTray', ids.map(kept));
const removed = (id: string) => ({ type: 'import.removed', id });
const cleared = { type: 'settled.cleared' };
const back = { type: 'connection.restored' };
const progress = (taskId: string) => ({
  type: 'news.heard',
  news: { name: 'progress', body: { taskId, step: 2, percent: 40 } },
});
const ofPictures = { type: 'news.heard', news: { name: 'thumbnailsReady', body: { imageUids: [] } } };

/** Imports about which the archive was asked already, rule by rule. */
const askedOf = new WeakMap<object, Set<string>>();

/** An archive in which an import stands at the step that it is named after; it answers once. */
const importStudy = importStudyMachine.provide({
  actors: {
    beginImport: fromPromise<{ id: string }, BeginInput>(() => new Promise(() => {})),
    uploadFiles: fromCallback(() => {}),
    fetchImport: fromPromise<ImportTask, { taskId: string }>(async ({ input: { taskId }, system }) => {
      const asked = askedOf.get(system) ?? new Set();
      askedOf.set(system, asked);
      if (asked.has(taskId)) return new Promise(() => {});
      asked.add(taskId);
      if (taskId.startsWith('failed')) return anImportTask('preparing', { id: taskId, error: true });
      return anImportTask(taskId.replace(/-.*/, '') as ImportStep, { id: taskId, files: [] });
    }),
  },
});

/** As the tray shows an import: what it is, where it stands, how far it is, which files it has. */
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

/** Asks nobody, and may be barred where it is shown. */
const nothing = { refused: true };

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
            ...[context.percent, files.map(({ key }) => key).join(' ')],
          ];
        },
      ),
      waiting: (waiting as readonly { taskId: string }[]).map(({ taskId }) => taskId),
      atWork: Object.keys(children).sort().join(' '),
    }),
  },
  {
    'looks first for what an earlier session left': [
      [[], 'restoring', { asks: [['restoreTray']], learns: { tray: [], waiting: [], atWork: 'restoreTray' } }],
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
    'keeps what the archive is found to have until it is known what the browser has': [
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
    'takes what is chosen, but no file twice and nothing empty': [
      [
        [...empty, chosen(group('one', 'a', 'b'), group('two', 'c'))],
        'open',
        {
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
    'takes what is found in the archive, once': [
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
    'stops and forgets what is removed': [
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
    'clears what is settled, and nothing else': [
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
    'brings news to every import that is under way': [
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
      [[...empty, back], 'open', { refused: false }],
    ],
  },
);
