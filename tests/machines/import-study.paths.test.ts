import { expect, it } from 'vitest';
import { importSteps } from '../../contract/imports.ts';
import {
  type ImportStudyActor,
  selectCanCancel,
  selectCanConfirm,
  selectIsDone,
  selectIsInterrupted,
  selectIsPaused,
  selectLostFiles,
  selectPercent,
  selectStep,
  selectStepNumber,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../src/machines/import-study/import-study.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { clinic, folder, fresh, id, left, raised, restored, second } from './models/import-study.ts';

type Snapshot = ReturnType<ImportStudyActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const { context } = snapshot;
  const { upload } = context;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const percent = selectPercent(snapshot);
  expect(percent, way).toBeGreaterThanOrEqual(0);
  expect(percent, way).toBeLessThanOrEqual(100);
  // The sums are those of the files, and no file is in the import twice.
  for (const status of ['waiting', 'uploaded', 'refused', 'lost'] as const)
    expect(upload.counts[status], way).toBe(upload.files.filter((file) => file.status === status).length);
  expect(new Set(upload.files.map(({ key }) => key)).size, way).toBe(upload.files.length);
  // Nothing is confirmed over an obstacle or over a decision that is still on its way; nor without a person where one has to look.
  if (snapshot.matches({ importing: 'asking' })) {
    const wanted = context.studies.filter((study) => !study.decision.leftOut);
    expect(wanted.length, way).toBeGreaterThan(0);
    expect(
      wanted.flatMap(({ obstacles }) => obstacles),
      way,
    ).toEqual([]);
    expect([...context.decided, ...context.deciding], way).toEqual([]);
    if (context.patientId === null || wanted.some(({ match }) => match === 'differs'))
      expect(way, way).toContain('import.confirmed');
  }
  if (selectCanConfirm(snapshot))
    expect(
      context.studies.flatMap(({ obstacles }) => obstacles),
      way,
    ).toEqual([]);
  // A paused import sends nothing and asks for nothing.
  if (selectIsPaused(snapshot)) expect(Object.keys(snapshot.children), way).toEqual([]);
  // A lost line never fails an upload: it is waited for.
  if (
    snapshot.matches('failed') &&
    snapshot.context.step === 'uploading' &&
    path.steps.at(-1)?.event.type === 'upload.broken'
  )
    expect(context.failure?.kind, way).not.toBe('offline');
  // Files go up under a known id, and only while they are sent; nothing goes on while a file still waits.
  expect('uploadFiles' in snapshot.children, way).toBe(snapshot.matches({ uploading: 'sending' }));
  if (snapshot.matches({ preparing: 'asking' }) || snapshot.matches({ parsing: 'asking' }))
    expect(upload.counts.waiting, way).toBe(0);
  // What another session sent, or what is left without its lost files, is not ended over a person's head.
  if (
    (snapshot.matches({ preparing: 'asking' }) || snapshot.matches({ parsing: 'asking' })) &&
    (upload.files.length === 0 || upload.counts.lost > 0)
  )
    expect(way, way).toContain('import.resumed');
  if (selectIsInterrupted(snapshot)) {
    expect(snapshot.can({ type: 'files.added', files: [second] }), way).toBe(true);
    expect(snapshot.can({ type: 'files.added', files: [] }), way).toBe(false);
  }
  // Never done with a failed file unnamed.
  if (selectIsDone(snapshot)) {
    for (const file of context.found) if (file.status === 'refused') expect(file.problem, way).not.toBeNull();
    for (const file of selectUploadFiles(snapshot))
      if (file.status === 'refused') expect(file.failure, way).not.toBeNull();
    expect(selectLostFiles(snapshot).length, way).toBe(upload.counts.lost);
    expect(upload.counts.waiting === 0 || context.taskId !== null, way).toBe(true);
  }
  if (selectWaitsForPerson(snapshot)) expect(context.found.length, way).toBeGreaterThan(0);
  // Until it is imported a person may always call it off, and never after.
  const over = ['importing', 'done', 'doneInPart', 'withdrawing', 'cancelled'] as const;
  expect(selectCanCancel(snapshot), way).toBe(!over.some((state) => snapshot.matches(state)));
  // The archive works under a known id.
  const early = ['uploading', 'failed', 'cancelled'] as const;
  if (!early.some((state) => snapshot.matches(state))) expect(context.taskId, way).toBe(id);
  for (const step of ['uploading', 'preparing', 'parsing', 'validation', 'importing', 'done'] as const)
    if (snapshot.matches(step)) {
      expect(selectStep(snapshot), way).toBe(step);
      expect(selectStepNumber(snapshot), way).toBe(importSteps[step]);
    }
  // A failure that can be mended by trying again can be tried again.
  if (snapshot.matches('failed') && context.failure) expect(snapshot.can({ type: 'import.retried' }), way).toBe(true);
  expect(snapshot.status, way).toBe(snapshot.matches('done') || snapshot.matches('cancelled') ? 'done' : 'active');
};

it('walks every transition of an import', { timeout: 240_000 }, () =>
  walkAll(
    [fresh, folder, restored, left, clinic].map((model) => ({ ...model, invariants })),
    { raised },
  ),
);
