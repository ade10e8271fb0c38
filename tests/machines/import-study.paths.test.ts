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
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const percent = selectPercent(snapshot);
  expect(percent, label).toBeGreaterThanOrEqual(0);
  expect(percent, label).toBeLessThanOrEqual(100);
  // The totals are those of the files, and no file is in the import twice.
  for (const status of ['waiting', 'uploaded', 'refused', 'lost'] as const)
    expect(upload.counts[status], label).toBe(upload.files.filter((file) => file.status === status).length);
  expect(new Set(upload.files.map(({ key }) => key)).size, label).toBe(upload.files.length);
  // No confirmation while a study is blocked, a decision is being sent, or a user has to look at it.
  if (snapshot.matches({ importing: 'requesting' })) {
    const included = context.studies.filter((study) => !study.decision.leftOut);
    expect(included.length, label).toBeGreaterThan(0);
    expect(
      included.flatMap(({ obstacles }) => obstacles),
      label,
    ).toEqual([]);
    expect([...context.decided, ...context.deciding], label).toEqual([]);
    if (context.patientId === null || included.some(({ match }) => match === 'differs'))
      expect(label, label).toContain('import.confirmed');
  }
  if (selectCanConfirm(snapshot))
    expect(
      context.studies.flatMap(({ obstacles }) => obstacles),
      label,
    ).toEqual([]);
  // A paused import sends and requests nothing.
  if (selectIsPaused(snapshot)) expect(Object.keys(snapshot.children), label).toEqual([]);
  // A connection loss never fails an upload: the upload waits.
  if (
    snapshot.matches('failed') &&
    snapshot.context.step === 'uploading' &&
    path.steps.at(-1)?.event.type === 'upload.broken'
  )
    expect(context.failure?.kind, label).not.toBe('offline');
  // Files are uploaded under a known id, only in an uploading state; no later step starts while a file still waits.
  expect('uploadFiles' in snapshot.children, label).toBe(snapshot.matches({ uploading: 'sending' }));
  if (snapshot.matches({ preparing: 'requesting' }) || snapshot.matches({ parsing: 'requesting' }))
    expect(upload.counts.waiting, label).toBe(0);
  // Files of another session, or lost files, are never given up without the user.
  if (
    (snapshot.matches({ preparing: 'requesting' }) || snapshot.matches({ parsing: 'requesting' })) &&
    (upload.files.length === 0 || upload.counts.lost > 0)
  )
    expect(label, label).toContain('import.resumed');
  if (selectIsInterrupted(snapshot)) {
    expect(snapshot.can({ type: 'files.added', files: [second] }), label).toBe(true);
    expect(snapshot.can({ type: 'files.added', files: [] }), label).toBe(false);
  }
  // Never done with an unlisted failed file.
  if (selectIsDone(snapshot)) {
    for (const file of context.found) if (file.status === 'refused') expect(file.problem, label).not.toBeNull();
    for (const file of selectUploadFiles(snapshot))
      if (file.status === 'refused') expect(file.failure, label).not.toBeNull();
    expect(selectLostFiles(snapshot).length, label).toBe(upload.counts.lost);
    expect(upload.counts.waiting === 0 || context.taskId !== null, label).toBe(true);
  }
  if (selectWaitsForPerson(snapshot)) expect(context.found.length, label).toBeGreaterThan(0);
  // The user can cancel until the import is done, and never after.
  const over = ['importing', 'done', 'doneInPart', 'withdrawing', 'cancelled'] as const;
  expect(selectCanCancel(snapshot), label).toBe(!over.some((state) => snapshot.matches(state)));
  // The archive works under a known id.
  const early = ['uploading', 'failed', 'cancelled'] as const;
  if (!early.some((state) => snapshot.matches(state))) expect(context.taskId, label).toBe(id);
  for (const step of ['uploading', 'preparing', 'parsing', 'validation', 'importing', 'done'] as const)
    if (snapshot.matches(step)) {
      expect(selectStep(snapshot), label).toBe(step);
      expect(selectStepNumber(snapshot), label).toBe(importSteps[step]);
    }
  // A retryable failure offers a retry.
  if (snapshot.matches('failed') && context.failure) expect(snapshot.can({ type: 'import.retried' }), label).toBe(true);
  expect(snapshot.status, label).toBe(snapshot.matches('done') || snapshot.matches('cancelled') ? 'done' : 'active');
};

it('walks every transition of an import', { timeout: 240_000 }, () =>
  walkAll(
    [fresh, folder, restored, left, clinic].map((model) => ({ ...model, invariants })),
    { raised },
  ),
);
