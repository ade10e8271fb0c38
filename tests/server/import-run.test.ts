import { rename } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { ImportTask } from '../../contract/imports.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { directoryFile } from '../dicom/build-dicom.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport, type Files } from './clinic-import.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let drive: ReturnType<typeof clinicImport>;
let asa: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  drive = clinicImport(archive);
  await ensureStandardTemplates(archive.db);
  asa = await archive.addPatient();
});

afterAll(() => archive.close());

let uids = 0;
const uid = () => {
  uids += 1;
  return `2.25.88${uids}`;
};
const object = (study: string, more: Parameters<typeof smallObject>[0] = {}) =>
  smallObject({ SOPInstanceUID: uid(), StudyInstanceUID: study, ...more });

const picture = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer();

const zipOf = async (files: Files): Promise<Uint8Array> => {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
};

const viewset = async (id: string | null | undefined) => (await archive.call(`/resource/viewset/${id}`)).json();
const statuses = (task: ImportTask) => Object.fromEntries(task.files.map((file) => [file.path, file.status]));
const eventsOf = (name: string) =>
  archive.events.filter(({ event }) => event.name === name).map(({ event }) => event.body);

test('a template is filled automatically and becomes one viewset, with the other images in its tray', async () => {
  const study = uid();
  const files = Object.fromEntries(
    ['1', '2', '3', '4', '5'].map((name) => [`${name}.dcm`, object(study, { InstanceNumber: Number(name) })]),
  );
  const { id } = await drive.parsed(files);
  const template = standardTemplate('bitewings4');
  const decided = await drive.decided(id, study, { viewSetTemplateUuid: template.uuid });
  const { imagesHashMap } = decided.decision;
  expect(Object.keys(imagesHashMap)).toEqual(['0', '1', '2', '3']);
  // The same decision again changes nothing, and the user's own links stay.
  const { '0': first = '', '1': second = '' } = imagesHashMap;
  await drive.decided(id, study, { imagesHashMap: { ...imagesHashMap, '0': second, '1': first } });
  const again = await drive.decided(id, study, { viewSetTemplateUuid: template.uuid });
  expect(again.decision.imagesHashMap).toMatchObject({ '0': second, '1': first });

  const done = await drive.imported(id);
  const [{ viewsetId }] = done.studies as [ImportTask['studies'][number]];
  const mount = await viewset(viewsetId);
  expect(mount).toMatchObject({ name: template.name, patientId: asa, studyUid: study, templateUUID: template.uuid });
  const imageOf = new Map(done.files.map((file) => [file.id, file.imageUid]));
  const mounted = mount.viewSetItems.map((item: { activeImage: { uid: string } | null }) => item.activeImage?.uid);
  expect(mounted).toEqual([
    imageOf.get(second),
    imageOf.get(first),
    imageOf.get(imagesHashMap['2'] ?? ''),
    expect.any(String),
  ]);
  expect(mount.detachedImages).toHaveLength(1);
  expect(eventsOf('ViewsetChanged')).toContainEqual({ patientId: asa, viewsetId, version: 1 });

  // Further images of the study appear in the tray of the existing viewset, and its viewers are notified.
  const more = await drive.parsed({ 'late.dcm': object(study) });
  expect(more.studies).toMatchObject([{ alreadyHasViewSet: true, inArchive: { images: 5 } }]);
  const later = await drive.imported(more.id);
  expect(later.studies[0]?.viewsetId).toBeNull();
  expect((await viewset(viewsetId)).detachedImages).toHaveLength(2);
  expect(eventsOf('ViewsetChanged')).toContainEqual({ patientId: asa, viewsetId, version: 2 });
});

test('pictures become objects of the chosen patient, in a new study or the chosen one', async () => {
  const task = await drive.parsed({ 'a.jpg': await picture('#a00'), 'b.jpg': await picture('#0a0') }, 'static');
  expect(task.studies).toMatchObject([
    { key: 'pictures', kind: 'static', filesCount: 2, obstacles: ['patient-missing'] },
  ]);
  expect(task.files.map(({ thumbLink }) => typeof thumbLink)).toEqual(['string', 'string']);
  await drive.decided(task.id, 'pictures', { patientId: asa });
  const done = await drive.imported(task.id);
  expect(done.files.map(({ status, modality }) => [status, modality])).toEqual([
    ['imported', 'XC'],
    ['imported', 'XC'],
  ]);
  const study = uid();
  await archive.importAll(asa, { 'x.dcm': object(study) });
  const next = await drive.parsed({ 'c.jpg': await picture('#00a'), 'again.jpg': await picture('#a00') }, 'static');
  const unknownStudy = await drive.decide(next.id, 'pictures', { patientId: asa, studyUid: '2.25.404' });
  expect(await unknownStudy.json()).toMatchObject({ code: 'not-found' });
  const uuid = standardTemplate('photograph').uuid;
  await drive.decided(next.id, 'pictures', { patientId: asa, studyUid: study, viewSetTemplateUuid: uuid });
  const into = await drive.imported(next.id);
  expect(statuses(into)).toEqual({ 'c.jpg': 'imported', 'again.jpg': 'duplicate' });
  const mount = await viewset(into.studies[0]?.viewsetId);
  expect(mount.studyUid).toBe(study);
  expect(mount.viewSetItems[0].activeImage).not.toBeNull();
  const image = await archive.db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select('study.uid')
    .where('image.id', '=', into.files[0]?.imageUid ?? '')
    .executeTakeFirst();
  expect(image?.uid).toBe(study);
});

test('a zip is unpacked, also inside another, up to the depth limit', async () => {
  const study = uid();
  const deepest = await zipOf({ 'c.dcm': object(study) });
  const inner = await zipOf({ 'b.dcm': object(study), 'deepest.zip': deepest });
  const outer = await zipOf({ 'IMG/a.dcm': object(study), 'inner.zip': inner, 'letter.txt': Buffer.from('hej') });
  const task = await drive.parsed({ 'outer.zip': outer }, 'dicomdir');
  expect(statuses(task)).toEqual({
    'outer.zip': 'unpacked',
    'IMG/a.dcm': 'parsed',
    'inner.zip': 'unpacked',
    'letter.txt': 'refused',
    'b.dcm': 'parsed',
    'deepest.zip': 'refused',
  });
  expect(task.files.find((file) => file.path === 'deepest.zip')).toMatchObject({ problem: 'too-deep' });
  const holder = task.files.find((file) => file.path === 'inner.zip');
  expect(task.files.find((file) => file.path === 'b.dcm')).toMatchObject({ containerId: holder?.id });
  const done = await drive.imported(task.id);
  expect(done.files.filter((file) => file.status === 'imported')).toHaveLength(2);
});

test('a deleted object is restored by an import; an excluded one stays deleted', async () => {
  const study = uid();
  const bytes = object(study);
  const [file] = (await archive.importAll(asa, { 'a.dcm': bytes })).files;
  const deleteImage = () => archive.call(`/resource/image/delete/${file?.imageUid}`, { method: 'DELETE' });
  const isThere = async () => (await archive.call(`/resource/viewset/get_image?imageUID=${file?.imageUid}`)).status;
  await deleteImage();
  expect(await isThere()).toBe(404);
  const left = await drive.parsed({ 'a.dcm': bytes, 'b.dcm': object(uid()) });
  await drive.decided(left.id, study, { leftOut: true });
  expect(statuses(await drive.imported(left.id))).toEqual({ 'a.dcm': 'left-out', 'b.dcm': 'imported' });
  expect(await isThere()).toBe(404);
  const again = await drive.parsed({ 'a.dcm': bytes });
  expect(statuses(await drive.imported(again.id))).toEqual({ 'a.dcm': 'duplicate' });
  expect(await isThere()).toBe(200);
});

test('two files of one object in one import: equal bytes are one image, different bytes are rejected', async () => {
  const study = uid();
  const sop = uid();
  const one = object(study, { SOPInstanceUID: sop });
  const task = await drive.parsed({
    'a.dcm': one,
    'copy.dcm': one,
    'other.dcm': object(study, { SOPInstanceUID: sop, ImageComments: 'Other' }),
  });
  const done = await drive.imported(task.id);
  expect(statuses(done)).toEqual({ 'a.dcm': 'imported', 'copy.dcm': 'duplicate', 'other.dcm': 'refused' });
  expect(done.files[2]).toMatchObject({ problem: 'same-uid-other-bytes' });
  expect(done.files[0]?.imageUid).toBe(done.files[1]?.imageUid);
});

test('missing bytes are a temporary problem: reported, and imported by a retry into the intended slot', async () => {
  const study = uid();
  const files = { 'a.dcm': object(study, { InstanceNumber: 1 }), 'b.dcm': object(study, { InstanceNumber: 2 }) };
  const { id } = await drive.parsed(files);
  const uuid = standardTemplate('bitewings2').uuid;
  const { decision } = await drive.decided(id, study, { viewSetTemplateUuid: uuid });
  const row = await archive.db
    .selectFrom('import_file')
    .select(['id', 'sha256'])
    .where('task_id', '=', id)
    .where('path', '=', 'b.dcm')
    .executeTakeFirstOrThrow();
  const stored = path.join(archive.dataFolder, 'files', row.sha256?.slice(0, 2) ?? '', row.sha256 ?? '');
  await rename(stored, `${stored}.away`);
  const partly = await drive.imported(id);
  expect(partly).toMatchObject({ step: 5, error: false });
  expect(statuses(partly)).toEqual({ 'a.dcm': 'imported', 'b.dcm': 'refused' });
  expect(partly.files[1]).toMatchObject({ problem: 'storage-failed' });
  const viewsetId = partly.studies[0]?.viewsetId;

  // Still missing: a retry fails, and the import is done again.
  await drive.retry(id);
  await expect
    .poll(() => archive.task(id))
    .toMatchObject({ step: 5, error: false, files: [{}, { status: 'refused' }] });
  await rename(`${stored}.away`, stored);
  await drive.retry(id);
  await expect
    .poll(() => archive.task(id))
    .toMatchObject({ step: 3, files: [{ status: 'imported' }, { status: 'parsed' }] });
  // While a user decides, repeating the request changes nothing.
  expect((await drive.retry(id)).status).toBe(200);
  expect(await archive.task(id)).toMatchObject({ step: 3 });
  const done = await drive.imported(id);
  expect(statuses(done)).toEqual({ 'a.dcm': 'imported', 'b.dcm': 'imported' });
  expect(done.studies[0]?.viewsetId).toBe(viewsetId);
  const mount = await viewset(viewsetId);
  const mounted = mount.viewSetItems.map((item: { activeImage: { uid: string } | null }) => item.activeImage?.uid);
  const imageOf = new Map(done.files.map((file) => [file.id, file.imageUid]));
  expect(mounted).toEqual([
    imageOf.get(decision.imagesHashMap['0'] ?? ''),
    imageOf.get(decision.imagesHashMap['1'] ?? ''),
  ]);
});

test('an import cancelled during upload or parsing accepts and imports nothing more', async () => {
  const study = uid();
  const id = await drive.begin({ 'a.dcm': object(study) });
  expect((await drive.cancel(id)).status).toBe(200);
  const late = await archive.send(id, 'late.dcm', object(study));
  expect(await late.json()).toMatchObject({ code: 'import-wrong-step' });
  expect(await (await archive.post('/resource/ImageImport/dicom/parse', { id })).json()).toMatchObject({
    code: 'import-wrong-step',
  });
  expect(await (await drive.retry(id)).json()).toMatchObject({ code: 'import-wrong-step' });

  const other = await drive.begin(
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.dcm`, object(study)])),
  );
  await Promise.all([archive.post('/resource/ImageImport/dicom/parse', { id: other }), drive.cancel(other)]);
  expect((await drive.cancel(other)).status).toBe(200);
  const stopped = await archive.task(other);
  expect(stopped).toMatchObject({ error: true });
  expect(await (await drive.confirm(other)).json()).toMatchObject({ code: 'import-wrong-step' });
  expect(await archive.db.selectFrom('study').select('id').where('uid', '=', study).execute()).toEqual([]);
});

test('files are read while others are still uploading, and the step stays', async () => {
  const id = await drive.begin({ 'a.dcm': object(uid()), 'b.jpg': await picture('#123') });
  await expect.poll(async () => statuses(await archive.task(id))).toEqual({ 'a.dcm': 'parsed', 'b.jpg': 'parsed' });
  expect(await archive.task(id)).toMatchObject({ step: 0, studies: [] });
  expect(archive.failures).toEqual([]);
});

test('pictures of the viewer on a disc are excluded by default; those of a plain zip are not', async () => {
  const study = uid();
  const icon = await picture('#123456');
  const disc = await drive.parsed({
    'disc.zip': await zipOf({ DICOMDIR: directoryFile(['IM1']), IM1: object(study), 'VIEWER/icon.jpg': icon }),
  });
  const leftOut = ({ studies }: ImportTask) =>
    Object.fromEntries(studies.map((one) => [one.kind, one.decision.leftOut]));
  expect(leftOut(disc)).toEqual({ dicom: false, static: true });
  const plain = await drive.parsed({ 'plain.zip': await zipOf({ 'icon.jpg': icon, 'a.dcm': object(uid()) }) });
  expect(leftOut(plain)).toEqual({ dicom: false, static: false });
});
