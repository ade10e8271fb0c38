import 'fake-indexeddb/auto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { importLimitsGet } from '../../contract/uploads.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import {
  type ImportStudyActor,
  selectCanConfirm,
  selectFailure,
  selectFoundFiles,
  selectIsDone,
  selectStudies,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../src/machines/import-study/import-study.machine.ts';
import { createImports } from '../../src/machines/imports/choose-files.ts';
import { type ImportsActor, selectImports } from '../../src/machines/imports/imports.machine.ts';
import { saveTray } from '../../src/machines/imports/save-imports.ts';
import { createCall, createWithBearer } from '../../src/services/call.ts';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createImportStore } from '../../src/services/import-store.ts';
import { createSemaphore } from '../../src/services/semaphore.ts';
import { createTabLocks } from '../../src/services/tab-locks.ts';
import type { Tokens } from '../../src/services/tokens.ts';
import { createUploader } from '../../src/services/uploader.ts';
import { createUploads } from '../../src/services/uploads.ts';
import type { BytesRequest, MultipartRequest } from '../../src/services/xhr-send.ts';
import { wiredImports } from '../../src/wiring/workspace.ts';
import { zipOf } from '../dicom/build-zip.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let imports: ImportsActor;
const partBytes = 40_000;

beforeAll(async () => {
  const publish = async (_: unknown, hubEvent: Parameters<typeof receive>[0]) => receive(hubEvent);
  archive = await archiveUnderTest({ hub: { publish }, limits: { ...defaultLimits, partBytes } });
  patientId = await archive.addPatient();
});
afterAll(async () => {
  imports?.stop();
  await archive.close();
});
const receive = (hubEvent: Extract<Parameters<ImportsActor['send']>[0], { type: 'hub-event.received' }>['hubEvent']) =>
  imports?.send({ type: 'hub-event.received', hubEvent: hubEvent });

/** The imports of a browser, wired as in the product, against the real archive; requests use fetch. */
const openImports = () => {
  const token = { access_token: archive.clinics.doctorId };
  const tokens = { current: () => token, goodForMs: () => 300_000, renew: async () => token } as unknown as Tokens;
  const rights = { tokens, onTokenRefused: () => {} };
  const call = createCall({ origin: archive.url, language: () => 'sv', ...rights });
  const sent = async (method: string, body: BodyInit, { url, bearer, signal }: MultipartRequest | BytesRequest) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      ...(method === 'PUT' && { 'content-type': 'application/octet-stream' }),
    };
    const reply = await fetch(url, { method, body, signal, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const network = { onOnline: () => () => {} };
  const uploader = createUploader({
    network,
    limits: () => call(importLimitsGet),
    toArchive: createUploads({
      origin: archive.url,
      call,
      network,
      withBearer: createWithBearer(rights),
      semaphore: createSemaphore(4),
      sendMultipart: (request) => sent('POST', request.form, request),
      sendBytes: (request) => sent('PUT', request.bytes, request),
    }),
    toObjectStore: () => () => {},
  });
  const importFiles = createImportFiles({
    store: createImportStore(),
    locks: createTabLocks('', undefined),
    account: () => 'doctor',
    graceMs: 0,
  });
  imports = createActor(wiredImports({ call, uploader, importFiles }), { clock: new SimulatedClock() });
  saveTray(imports, importFiles);
  imports.start();
  const app = { getSnapshot: () => ({ children: { imports } }) } as unknown as AppActor;
  return { choose: createImports(app, importFiles), store: createImportStore() };
};

const chosen = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.entries(files).map(([path, bytes]) => ({
    path,
    file: new File([Uint8Array.from(bytes)], path.split('/').at(-1) ?? ''),
  }));
const newest = (): ImportStudyActor => {
  const [one] = selectImports(imports.getSnapshot());
  if (!one) throw new Error('no import is open');
  return one.actor;
};
const until = (isSo: () => boolean) =>
  vi.waitUntil(
    () => {
      const failure = selectFailure(newest().getSnapshot());
      if (failure) throw new Error(JSON.stringify(failure));
      return isSo();
    },
    { timeout: 60_000, interval: 20 },
  );

it('imports a folder for a patient without a question: batched requests, one file in parts, a broken one reported', async () => {
  const { choose, store } = openImports();
  const objects = Array.from({ length: 25 }, (_, index) => [
    `Mapp/IM ${index}`,
    smallObject({ SOPInstanceUID: `2.25.5${index}` }),
  ]);
  // Larger than a part.
  const large = smallObject({
    SOPInstanceUID: '2.25.700',
    Rows: 300,
    Columns: 300,
    PixelData: new Uint16Array(90_000),
  });
  expect(large.length).toBeGreaterThan(4 * partBytes);
  const files = {
    ...Object.fromEntries(objects),
    'Mapp/stor.dcm': large,
    'Mapp/brev.txt': Buffer.from('Bästa kollega'),
  };
  choose({ patientId, customerId: archive.clinics.customerId }, [
    { kind: 'dicom', name: 'Mapp', files: chosen(files), leftOut: [] },
  ]);
  await until(() => selectIsDone(newest().getSnapshot()));
  const found = selectFoundFiles(newest().getSnapshot());
  expect(found).toHaveLength(27);
  expect(found.filter(({ status }) => status === 'imported')).toHaveLength(26);
  expect(found.filter(({ status }) => status === 'refused').map(({ path, problem }) => [path, problem])).toEqual([
    ['Mapp/brev.txt', 'not-dicom'],
  ]);
  expect(selectUploadFiles(newest().getSnapshot()).every(({ status }) => status === 'uploaded')).toBe(true);
  // Finished imports are not stored.
  await vi.waitFor(async () => expect(await store.restore('doctor')).toEqual([]), { timeout: 20_000 });
  imports.stop();
});

it('imports a zip for a clinic after a user has decided', async () => {
  const { choose } = openImports();
  const bytes = Buffer.from(smallObject({ SOPInstanceUID: '2.25.801', StudyInstanceUID: '2.25.80', PatientID: 'X' }));
  const zip = zipOf([{ name: 'bild.dcm', bytes }]);
  choose({ patientId: null, customerId: archive.clinics.customerId }, [
    { kind: 'dicomdir', name: 'skiva.zip', files: chosen({ 'skiva.zip': zip }), leftOut: [] },
  ]);
  await until(() => selectWaitsForPerson(newest().getSnapshot()));
  const [study] = selectStudies(newest().getSnapshot());
  expect(study?.key).toBe('2.25.80');
  newest().send({ type: 'study.decided', key: '2.25.80', decision: { patientId, mismatchConfirmed: true } });
  await until(() => selectCanConfirm(newest().getSnapshot()));
  expect(selectStudies(newest().getSnapshot())[0]?.patient?.id).toBe(patientId);
  newest().send({ type: 'import.confirmed' });
  await until(() => selectIsDone(newest().getSnapshot()));
  const statuses = selectFoundFiles(newest().getSnapshot()).map(({ path, status }) => [path, status]);
  expect(Object.fromEntries(statuses)).toMatchObject({ 'skiva.zip': 'unpacked', 'bild.dcm': 'imported' });
  imports.stop();
});

it('continues after a page reload with the stored import', async () => {
  const first = openImports();
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [
      `${index}.dcm`,
      smallObject({ SOPInstanceUID: `2.25.90${index}`, StudyInstanceUID: '2.25.90' }),
    ]),
  );
  first.choose({ patientId, customerId: archive.clinics.customerId }, [
    { kind: 'dicom', name: '0.dcm', files: chosen(files), leftOut: [] },
  ]);
  newest().send({ type: 'upload.paused' });
  await vi.waitUntil(
    async () => {
      const [restored] = await first.store.restore('doctor');
      return restored?.paused === true && restored.files.every(({ status }) => status === 'waiting');
    },
    { timeout: 20_000 },
  );
  imports.stop();
  openImports();
  await vi.waitUntil(() => selectImports(imports.getSnapshot()).length === 1, { timeout: 20_000 });
  newest().send({ type: 'upload.resumed' });
  await until(() => selectIsDone(newest().getSnapshot()));
  expect(selectFoundFiles(newest().getSnapshot()).map(({ status }) => status)).toEqual(Array(5).fill('imported'));
});
