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
import { type ImportsActor, selectImports } from '../../src/machines/imports/imports.machine.ts';
import { createCall, createWithBearer } from '../../src/services/call.ts';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createKeptImports } from '../../src/services/kept-imports.ts';
import { createTabHolds } from '../../src/services/tab-holds.ts';
import type { Tokens } from '../../src/services/tokens.ts';
import { createTurns } from '../../src/services/turns.ts';
import { createUploadWay } from '../../src/services/upload-way.ts';
import { createUploads } from '../../src/services/uploads.ts';
import type { BytesRequest, MultipartRequest } from '../../src/services/xhr-send.ts';
import { chooseInto, keepTray, wiredImports } from '../../src/wiring/imports.ts';
import { zipOf } from '../dicom/build-zip.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let tray: ImportsActor;
const partBytes = 40_000;

beforeAll(async () => {
  const publish = async (_: unknown, news: Parameters<typeof hear>[0]) => hear(news);
  archive = await archiveUnderTest({ hub: { publish }, limits: { ...defaultLimits, partBytes } });
  patientId = await archive.addPatient();
});
afterAll(async () => {
  tray?.stop();
  await archive.close();
});
const hear = (news: Extract<Parameters<ImportsActor['send']>[0], { type: 'news.heard' }>['news']) =>
  tray?.send({ type: 'news.heard', news });

/** The tray of a browser, wired as the product is, before the real archive; only the requests go out by fetch. */
const openTray = () => {
  const token = { access_token: archive.clinics.doctorId };
  const tokens = { current: () => token, goodForMs: () => 300_000, renew: async () => token } as unknown as Tokens;
  const rights = { tokens, onTokenRefused: () => {} };
  const call = createCall({ origin: archive.url, ...rights });
  const sent = async (method: string, body: BodyInit, { url, bearer, signal }: MultipartRequest | BytesRequest) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      ...(method === 'PUT' && { 'content-type': 'application/octet-stream' }),
    };
    const reply = await fetch(url, { method, body, signal, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const line = { onUp: () => () => {} };
  const uploadWay = createUploadWay({
    line,
    limits: () => call(importLimitsGet),
    toArchive: createUploads({
      ...{ origin: archive.url, call, line, withBearer: createWithBearer(rights), turns: createTurns(4) },
      sendMultipart: (request) => sent('POST', request.form, request),
      sendBytes: (request) => sent('PUT', request.bytes, request),
    }),
    toObjectStore: () => () => {},
  });
  const importFiles = createImportFiles({
    ...{ kept: createKeptImports(), holds: createTabHolds('', undefined), account: () => 'doctor', graceMs: 0 },
  });
  tray = createActor(wiredImports({ call, uploadWay, importFiles }), { clock: new SimulatedClock() });
  keepTray(tray, importFiles);
  tray.start();
  const app = { getSnapshot: () => ({ children: { imports: tray } }) } as unknown as AppActor;
  return { choose: chooseInto(app, importFiles), kept: createKeptImports() };
};

const chosen = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.entries(files).map(([path, bytes]) => ({
    path,
    file: new File([Uint8Array.from(bytes)], path.split('/').at(-1) ?? ''),
  }));
const newest = (): ImportStudyActor => {
  const [one] = selectImports(tray.getSnapshot());
  if (!one) throw new Error('the tray is empty');
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

it('brings a folder into a patient without a question: many to a request, one in parts, a broken one by name', async () => {
  const { choose, kept } = openTray();
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
    { kind: 'dicom', name: 'Mapp', files: chosen(files) },
  ]);
  await until(() => selectIsDone(newest().getSnapshot()));
  const found = selectFoundFiles(newest().getSnapshot());
  expect(found).toHaveLength(27);
  expect(found.filter(({ status }) => status === 'imported')).toHaveLength(26);
  expect(found.filter(({ status }) => status === 'refused').map(({ path, problem }) => [path, problem])).toEqual([
    ['Mapp/brev.txt', 'not-dicom'],
  ]);
  expect(selectUploadFiles(newest().getSnapshot()).every(({ status }) => status === 'uploaded')).toBe(true);
  // What is over is not kept.
  await vi.waitFor(async () => expect(await kept.restore('doctor')).toEqual([]), { timeout: 20_000 });
  tray.stop();
});

it('brings a zip into a clinic, waits for a person, and imports when that one has decided', async () => {
  const { choose } = openTray();
  const bytes = Buffer.from(smallObject({ SOPInstanceUID: '2.25.801', StudyInstanceUID: '2.25.80', PatientID: 'X' }));
  const zip = zipOf([{ name: 'bild.dcm', bytes }]);
  choose({ patientId: null, customerId: archive.clinics.customerId }, [
    { kind: 'dicomdir', name: 'skiva.zip', files: chosen({ 'skiva.zip': zip }) },
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
  tray.stop();
});

it('goes on after the page was loaded anew, with what was put aside', async () => {
  const first = openTray();
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [
      `${index}.dcm`,
      smallObject({ SOPInstanceUID: `2.25.90${index}`, StudyInstanceUID: '2.25.90' }),
    ]),
  );
  first.choose({ patientId, customerId: archive.clinics.customerId }, [
    { kind: 'dicom', name: '0.dcm', files: chosen(files) },
  ]);
  newest().send({ type: 'upload.paused' });
  await vi.waitUntil(
    async () => {
      const [held] = await first.kept.restore('doctor');
      return held?.paused === true && held.files.every(({ status }) => status === 'waiting');
    },
    { timeout: 20_000 },
  );
  tray.stop();
  openTray();
  await vi.waitUntil(() => selectImports(tray.getSnapshot()).length === 1, { timeout: 20_000 });
  newest().send({ type: 'upload.resumed' });
  await until(() => selectIsDone(newest().getSnapshot()));
  expect(selectFoundFiles(newest().getSnapshot()).map(({ status }) => status)).toEqual(Array(5).fill('imported'));
});
