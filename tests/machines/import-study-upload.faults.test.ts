import { done, failed, offline } from '../paths.ts';
import {
  added,
  allUp,
  ask,
  atFirst,
  aws,
  back,
  beginImport,
  begun,
  broken,
  cancelled,
  continued,
  discFile,
  finished,
  finishedInStore,
  folder,
  fresh,
  goOn,
  half,
  lost,
  noRight,
  notFound,
  one,
  parse,
  paused,
  resumed,
  retried,
  send,
  three,
  turnedAway,
  two,
  up,
  waited,
  withdraw,
  wrongStep,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const unreachable = [failed('beginImport', offline)];
const lacking = [begun, lost('two'), up('one'), finished];

rulesOf(fresh, {
  'opens an import in the archive, and waits for a way to it': [
    [
      [],
      { uploading: 'beginning' },
      {
        asks: [beginImport('import-1')],
        learns: atFirst(null, ['one waiting 0', 'two waiting 0'], false),
      },
    ],
    [
      [begun],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { taskId: 'task-1' },
      },
    ],
    [unreachable, { uploading: 'unreachable' }],
    [[...unreachable, 4_999], { uploading: 'unreachable' }],
    [
      [...unreachable, 5_000],
      { uploading: 'beginning' },
      {
        asks: [beginImport('import-1')],
      },
    ],
    [
      [...unreachable, back],
      { uploading: 'beginning' },
      {
        asks: [beginImport('import-1')],
      },
    ],
    [[failed('beginImport', noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'sends the files, and knows how far each is': [
    [
      [begun, half],
      { uploading: { sending: 'running' } },
      { learns: { files: ['one waiting 150', 'two waiting 0'], speed: 1_000 } },
    ],
    [
      [begun, up('one')],
      { uploading: { sending: 'running' } },
      { learns: { files: ['one uploaded 0', 'two waiting 0'], speed: 1_000 } },
    ],
    [[begun, half, waited], { uploading: { sending: 'waiting' } }, { learns: { speed: null } }],
    [[begun, half, waited, continued], { uploading: { sending: 'running' } }],
    [
      [begun, half, finished],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { speed: null },
      },
    ],
    [[begun, half, broken(offline)], { uploading: 'unreachable' }, { learns: { speed: null } }],
    [
      [begun, broken(offline), 5_000],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
      },
    ],
    [[begun, broken(noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'goes on with what waits when there is a way again': [
    [[begun, broken(offline), back], { uploading: { sending: 'running' } }, { asks: [send(one, two)] }],
  ],
  'rests while a person wants it': [
    [[paused], { uploading: 'paused' }, { learns: { paused: true } }],
    [
      [paused, resumed],
      { uploading: 'beginning' },
      {
        asks: [beginImport('import-1')],
        learns: { paused: false },
      },
    ],
    [[begun, half, paused], { uploading: 'paused' }, { learns: { speed: null, paused: true } }],
    [[begun, half, paused, paused], { uploading: 'paused' }, { refused: true }],
    [
      [begun, half, paused, resumed],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { paused: false },
      },
    ],
    [[begun, half, waited, paused], { uploading: 'paused' }, { learns: { paused: true } }],
    [[...unreachable, paused], { uploading: 'paused' }, { learns: { paused: true } }],
  ],
  'has the archive read what arrived': [
    [allUp, { preparing: 'asking' }, { asks: [parse], learns: { speed: null, step: 'preparing' } }],
    [
      [begun, up('one', 'two'), finishedInStore],
      { preparing: 'asking' },
      {
        asks: [['parseImport', { taskId: 'task-1', folder: false, aws }]],
        learns: { speed: null, aws, step: 'preparing' },
      },
    ],
    [[begun, turnedAway, finished], 'failed', { learns: { speed: null } }],
    [[begun, turnedAway, finished, retried], 'failed'],
  ],
  'waits for files that the browser lost, or goes on without them': [
    [lacking, { uploading: 'lacking' }, { learns: { speed: null } }],
    [[...lacking, paused], { uploading: 'lacking' }, { refused: true }],
    [[...lacking, goOn], { preparing: 'asking' }, { asks: [parse], learns: { step: 'preparing' } }],
    [
      [...lacking, added(two)],
      { uploading: { sending: 'running' } },
      {
        asks: [send(two)],
        learns: { files: ['one uploaded 0', 'two waiting 0'] },
      },
    ],
    [[...lacking, added(three)], { uploading: 'lacking' }],
    [[...lacking, added()], { uploading: 'lacking' }],
    [[begun, lost('one', 'two'), finished, goOn], { uploading: 'lacking' }],
    [
      [begun, lost('two'), added(two)],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { files: ['one waiting 0', 'two waiting 0'], speed: null },
      },
    ],
  ],
  'is taken back': [
    [[cancelled], 'cancelled', { ended: true }],
    [[begun, cancelled], 'withdrawing', { asks: [withdraw] }],
    [[begun, cancelled, cancelled], 'withdrawing'],
    [[begun, cancelled, done('withdrawImport', { id: 'task-1' })], 'cancelled'],
    [[begun, cancelled, failed('withdrawImport', wrongStep)], 'cancelled'],
    [[paused, cancelled], 'cancelled'],
  ],
  'is tried again: what waits is sent, to a new import when the archive ended the old one': [
    [
      [begun, broken(noRight), retried],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { failure: null },
      },
    ],
    [
      [begun, broken(wrongStep), retried],
      { uploading: 'beginning' },
      {
        asks: [beginImport(null)],
        learns: { taskId: null, idUsedUp: true, failure: null },
      },
    ],
    [
      [begun, up('one'), broken(notFound), retried],
      { uploading: 'beginning' },
      {
        asks: [
          [
            'beginImport',
            {
              id: null,
              patientId: 'patient-1',
              customerId: 'clinic-1',
              kind: 'dicom',
              name: 'Two',
              totalFilesCount: 1,
            },
          ],
        ],
        learns: { taskId: null, idUsedUp: true, files: ['two waiting 0'], failure: null },
      },
    ],
    [
      [failed('beginImport', noRight), retried],
      { uploading: 'beginning' },
      {
        asks: [beginImport('import-1')],
        learns: { failure: null },
      },
    ],
    [
      [begun, broken(wrongStep), retried, begun],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { taskId: 'task-1' },
      },
    ],
  ],
});

rulesOf(folder, {
  'has a folder with a table of contents parsed at once': [
    [
      allUp,
      { parsing: 'asking' },
      {
        asks: [['parseImport', { taskId: 'task-1', folder: true, aws: null }]],
        learns: { speed: null, step: 'parsing' },
      },
    ],
    [[...allUp, done('parseImport', { id: 'task-1' })], { parsing: 'listening' }],
    [[...allUp, failed('parseImport', wrongStep)], { parsing: 'checking' }, { asks: [ask] }],
  ],
});

rulesOf(discFile, {
  'prepares a disc that came as one file': [
    [
      [begun, up('one'), finished],
      { preparing: 'asking' },
      { asks: [parse], learns: { speed: null, step: 'preparing' } },
    ],
  ],
});
