import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { importSteps } from '../../../contract/imports.ts';
import { smallObject } from '../small-object.ts';
import { livingImages, type SeenViewset, slotsOf, studiesOf, type TestUser, viewsetOf } from './test-user.ts';

/** Number of acknowledged requests. */
type Operation = (user: TestUser) => Promise<number>;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
let studies = 0;

const slots = Array.from({ length: 4 }, (_, index) => ({
  xPos: index * 100,
  yPos: 0,
  width: 100,
  height: 100,
  teeth: [],
}));

/** Creates a mount. Creating has no idempotency key: after a lost reply the client checks before it retries. */
const createViewset = async (user: TestUser, studyUid: string): Promise<void> => {
  const name = randomUUID();
  const body = {
    patientUID: user.patientId,
    currentStudyUID: studyUid,
    currentViewsetUID: null,
    viewSetItems: slots,
    name,
  };
  for (;;) {
    const answer = await user.client.attempt('/resource/viewset/', 'POST', body);
    if (answer) expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    const found = (await studiesOf(user)).flatMap(({ viewsets }) => viewsets.filter((one) => one.name === name));
    expect(found.length, 'viewsets of one creation').toBeLessThanOrEqual(1);
    if (answer) expect(found).toHaveLength(1);
    const [made] = found;
    if (!made) continue;
    user.viewsets.set(made.viewSetUuid, slotsOf(await viewsetOf(user, made.viewSetUuid)));
    return;
  }
};

/** Uploads and imports the files of one study. */
const importImages: Operation = async (user) => {
  studies += 1;
  const studyUid = `2.25.6${user.number}${studies}`;
  const files = Array.from({ length: 3 + user.below(6) }, (_, index) =>
    smallObject({
      StudyInstanceUID: studyUid,
      SeriesInstanceUID: `${studyUid}.1`,
      SOPInstanceUID: `${studyUid}.1.${index}`,
      InstanceNumber: index + 1,
    }),
  );
  const id = randomUUID();
  const started = await user.client.post('/resource/ImageImport', {
    id,
    patientId: user.patientId,
    kind: 'dicom',
    name: 'outages',
    totalFilesCount: files.length,
  });
  expect([started.status, started.body.id]).toEqual([200, id]);
  user.taskIds.push(id);
  const sent = await user.client.call('/resource/ImageImport/batch', () => {
    const form = new FormData();
    form.append('id', id);
    for (const [index, bytes] of files.entries()) {
      form.append('path', `${index}.dcm`);
      form.append('files', new Blob([Uint8Array.from(bytes)]), `${index}.dcm`);
    }
    return { method: 'POST', body: form };
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  for (const { fileId, sha256 } of sent.body.files) user.files.set(fileId, sha256);
  const task = async () => (await user.client.call(`/resource/ImageImport/${id}`)).body;
  const taskAt = async (step: number) => {
    for (;;) {
      const now = await task();
      expect(now.error, JSON.stringify(now.files)).toBe(false);
      if (now.step >= step) return now;
      await pause();
    }
  };
  expect((await user.client.post('/resource/ImageImport/dicom/parse', { id })).status).toBe(200);
  await taskAt(importSteps.validation);
  const confirmed = await user.client.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  const end = await taskAt(importSteps.done);
  expect(end.files.map(({ status, problem }: { status: string; problem: string }) => [status, problem])).toEqual(
    files.map(() => ['imported', null]),
  );
  expect(end.files.map(({ sha256 }: { sha256?: string }) => sha256 ?? '').length).toBe(files.length);
  for (const file of end.files) user.images.set(file.imageUid, { sha256: user.files.get(file.id) ?? '', studyUid });
  expect(new Set(user.files.values())).toEqual(new Set([...user.files.values(), ...files.map(hashOf)]));
  await createViewset(user, studyUid);
  return 5;
};

/** Mounts an image in a slot, also from another slot. */
const mountImage: Operation = async (user) => {
  const viewsets = (await studiesOf(user)).flatMap((study) => study.viewsets);
  const chosen = user.pick(viewsets);
  const imageUid = user.pick(livingImages(user));
  if (!chosen || !imageUid) return 0;
  const itemIndex = user.below(slots.length);
  for (let isFirst = true; ; isFirst = false) {
    const { version, ...before } = await viewsetOf(user, chosen.viewSetUuid);
    // An earlier attempt succeeded and its reply was lost.
    if (!isFirst && slotsOf({ version, ...before })[itemIndex] === imageUid) {
      user.viewsets.set(chosen.viewSetUuid, slotsOf({ version, ...before }));
      return 1;
    }
    const body = { viewsetUid: chosen.viewSetUuid, itemIndex, imageUid, version };
    const answer = await user.client.attempt('/resource/viewset/image/mount', 'POST', body);
    if (!answer) continue;
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    const after: SeenViewset = answer.body;
    expect(slotsOf(after)[itemIndex]).toBe(imageUid);
    user.viewsets.set(chosen.viewSetUuid, slotsOf(after));
    return 1;
  }
};

/** Viewsets hide deleted studies and show them again after restoring. */
const readViewsets = async (user: TestUser): Promise<void> => {
  for (const { viewSetUuid } of (await studiesOf(user)).flatMap(({ viewsets }) => viewsets))
    user.viewsets.set(viewSetUuid, slotsOf(await viewsetOf(user, viewSetUuid)));
};

const remove = async (user: TestUser, target: string): Promise<void> => {
  const { status, wasRepeated } = await user.client.call(target, () => ({ method: 'DELETE' }));
  // An earlier attempt already deleted it.
  expect(wasRepeated ? [200, 404] : [200]).toContain(status);
};
const restore = async (user: TestUser, target: string): Promise<void> => {
  expect((await user.client.call(target, () => ({ method: 'PUT' }))).status).toBe(200);
};

const deleteStudy: Operation = async (user) => {
  const there = await studiesOf(user);
  const study = user.pick(there);
  if (!study) return 0;
  await remove(user, `/resource/study/delete/${study.id}`);
  user.deletedStudies.add(study.uid);
  // Its images are mounted in other studies too, which stop showing them.
  const living = new Set(livingImages(user));
  for (const [id, mounted] of user.viewsets)
    user.viewsets.set(
      id,
      mounted.map((image) => (image !== null && living.has(image) ? image : null)),
    );
  if (there.length > 1 && user.below(4) === 0) return 1;
  await restore(user, `/resource/study/restore/${study.id}`);
  user.deletedStudies.delete(study.uid);
  await readViewsets(user);
  return 2;
};

const deleteImage: Operation = async (user) => {
  const imageUid = user.pick(livingImages(user));
  if (!imageUid) return 0;
  await remove(user, `/resource/image/delete/${imageUid}`);
  user.deletedImages.add(imageUid);
  await readViewsets(user);
  if (livingImages(user).length > 3 && user.below(4) === 0) return 1;
  await restore(user, `/resource/image/restore/${imageUid}`);
  user.deletedImages.delete(imageUid);
  await readViewsets(user);
  return 2;
};

/** Moves all studies to a patient who has none. */
const mergePatients: Operation = async (user) => {
  const patientToId = user.spare.pop();
  if (!patientToId) return 0;
  const body = { patientFromId: user.patientId, patientToId };
  const before = (await studiesOf(user)).map(({ uid }) => uid).toSorted();
  const { status, body: answer } = await user.client.post('/resource/study/move_all', body);
  expect([status, answer.code]).toEqual([200, undefined]);
  expect(await studiesOf(user)).toEqual([]);
  user.patientId = patientToId;
  expect((await studiesOf(user)).map(({ uid }) => uid).toSorted()).toEqual(before);
  return 1;
};

const hasStudy = async (user: TestUser, patientId: string, uid: string): Promise<boolean> =>
  (await studiesOf(user, patientId)).some((study) => study.uid === uid);

/** Moves one study to another patient and back. */
const moveStudy: Operation = async (user) => {
  const study = user.pick(await studiesOf(user));
  const other = user.spare.at(-1);
  if (!study || !other) return 0;
  for (const [patientFromId, patientToId] of [
    [user.patientId, other],
    [other, user.patientId],
  ] as const) {
    const body = { what: 'study', id: study.id, patientFromId, patientToId, studyToId: null };
    const { status, wasRepeated, ...answer } = await user.client.post('/resource/move', body);
    // An earlier attempt already moved it away from the first patient.
    expect(wasRepeated ? [200, 409] : [200], JSON.stringify(answer)).toContain(status);
    const found = [await hasStudy(user, patientFromId, study.uid), await hasStudy(user, patientToId, study.uid)];
    expect(found).toEqual([false, true]);
  }
  // Its mounts have lost the images of other studies, and those the images of this one.
  await readViewsets(user);
  return 2;
};

/**
 * What users do while parts of the archive are killed. Each operation uses `user.client`, which repeats requests until they are answered, records the
 * acknowledged state in the user, and returns the number of requests.
 */
export const operations = {
  importImages,
  mountImage,
  deleteStudy,
  deleteImage,
  mergePatients,
  moveStudy,
} as const satisfies Record<string, Operation>;
export type OperationName = keyof typeof operations;
