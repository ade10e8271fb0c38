import { expect, it } from 'vitest';
import { type ImportFile, type ImportTask, importSteps } from '../../contract/imports.ts';
import {
  type ImportInput,
  type ImportStudyActor,
  importStudyMachine,
  selectIsInterrupted,
  selectPercent,
  selectStep,
  selectStepNumber,
  selectWaitsForPerson,
} from '../../src/machines/import-study/import-study.machine.ts';
import { anImportFile, anImportTask } from '../an-import.ts';
import { done, failed, type Model, offline, refused } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<ImportStudyActor['getSnapshot']>;

const id = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';
const first = { key: 'file-1', name: 'one.dcm', sizeBytes: 300 };
const second = { key: 'file-2', name: 'two.dcm', sizeBytes: 100 };

const fileOf = (status: ImportFile['status'], match: 'same' | 'differs' = 'same'): ImportFile =>
  anImportFile({
    status,
    problem: status === 'refused' ? 'truncated' : null,
    patient: { name: null, patientId: null, birthDate: null, sex: null, match },
    modality: 'IO',
  });
const taskOf = (step: keyof typeof importSteps, files: readonly ImportFile[] = [], error = false): ImportTask =>
  anImportTask(step, { error, files: [...files] });

const answers = [
  taskOf('uploading'),
  taskOf('uploading', [fileOf('received')]),
  taskOf('preparing'),
  taskOf('parsing'),
  taskOf('validation', [fileOf('parsed'), fileOf('refused')]),
  taskOf('validation', [fileOf('parsed', 'differs')]),
  taskOf('validation', [fileOf('refused')]),
  taskOf('importing'),
  taskOf('done', [fileOf('imported')]),
  taskOf('validation', [fileOf('refused')], true),
].map((task) => done('fetchImport', task));

const modelOf = (input: ImportInput, stopWhen?: Model['stopWhen']): Model => ({
  machine: importStudyMachine,
  input,
  ...(stopWhen && { stopWhen }),
  events: [
    { type: 'file.progressed', key: 'file-1', loadedBytes: 150 },
    { type: 'file.uploaded', key: 'file-1' },
    { type: 'file.refused', key: 'file-2', failure: refused('too-large') },
    { type: 'upload.finished' },
    { type: 'upload.broken', failure: offline },
    { type: 'upload.broken', failure: refused('import-wrong-step') },
    { type: 'preparing.reported', taskId: id },
    { type: 'progress.reported', taskId: id, step: 2, percent: 40 },
    { type: 'progress.reported', taskId: id, step: 4, percent: 60 },
    { type: 'progress.reported', taskId: 'another', step: 4, percent: 99 },
    { type: 'outcome.reported', taskId: id },
    { type: 'connection.restored' },
    { type: 'import.resumed' },
    { type: 'files.added', files: [second] },
    { type: 'files.added', files: [] },
    { type: 'import.confirmed' },
    { type: 'import.retried' },
    { type: 'import.cancelled' },
    done('beginImport', { id }),
    failed('beginImport', offline),
    done('parseImport', { id }),
    failed('parseImport', refused('import-wrong-step')),
    failed('parseImport', offline),
    done('confirmImport', { id }),
    failed('confirmImport', refused('import-wrong-step')),
    failed('confirmImport', offline),
    ...answers,
    failed('fetchImport', offline),
    done('withdrawImport', { id }),
    failed('withdrawImport', refused('import-wrong-step')),
    failed('fetchImport', refused('not-signed-in')),
  ],
  facts: ({ context }) => ({
    begun: context.taskId !== null,
    files: context.files.map((file: { status: string }) => file.status),
    found: context.found.map((file: ImportFile) => [file.status, file.patient?.match]),
    step: context.step,
    confirmed: context.mismatchConfirmed,
    failure: [context.failure?.kind, context.failure?.code],
  }),
  invariants: (raw, path) => {
    const snapshot = raw as Snapshot;
    const { context } = snapshot;
    const way = path.steps.map(({ event }) => event.type).join(' -> ');
    const percent = selectPercent(snapshot);
    expect(percent, way).toBeGreaterThanOrEqual(0);
    expect(percent, way).toBeLessThanOrEqual(100);
    // Nothing is imported that names somebody else unless a person saw it.
    if (snapshot.matches({ importing: 'asking' }) && context.found.some((file) => file.patient?.match === 'differs'))
      expect(context.mismatchConfirmed, way).toBe(true);
    // What another session sent is not ended over its head: a person said so.
    if (snapshot.matches({ preparing: 'asking' }) && context.files.length === 0)
      expect(way, way).toContain('import.resumed');
    // A person who may take what arrived may also add what is missing, and an empty choice adds nothing.
    if (selectIsInterrupted(snapshot)) {
      expect(snapshot.can({ type: 'files.added', files: [second] }), way).toBe(true);
      expect(snapshot.can({ type: 'files.added', files: [] }), way).toBe(false);
    }
    // A person is asked only when a file names somebody else, and every rest in validation is such a question.
    if (snapshot.matches('validation')) expect(selectWaitsForPerson(snapshot), way).toBe(true);
    // The archive works under a known id.
    if (!snapshot.matches('uploading') && !snapshot.matches('failed') && !snapshot.matches('cancelled'))
      expect(context.taskId, way).toBe(id);
    for (const step of ['uploading', 'preparing', 'parsing', 'validation', 'importing', 'done'] as const)
      if (snapshot.matches(step)) {
        expect(selectStep(snapshot), way).toBe(step);
        expect(selectStepNumber(snapshot), way).toBe(importSteps[step]);
      }
    // A failure that can be mended by trying again can be tried again.
    if (snapshot.matches('failed') && context.failure) expect(snapshot.can({ type: 'import.retried' }), way).toBe(true);
    expect(snapshot.status, way).toBe(snapshot.matches('done') || snapshot.matches('cancelled') ? 'done' : 'active');
  },
});

const fresh = modelOf({ patientId: id, files: [first, second], taskId: null });
// Once the missing files are up, it goes on like one that began here.
const left = modelOf(
  { patientId: id, files: [], taskId: id },
  (snapshot) => snapshot.context.files.length > 0 && !snapshot.matches('uploading') && !snapshot.matches('failed'),
);

it('walks every transition of an import', () => walkAll([fresh, left], { raised: ['truth.learned'] }));
