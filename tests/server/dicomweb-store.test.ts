import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../server/imports/limits.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { relatedBody, relatedType, storeIn } from './dicomweb-store-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof storeIn>;
let studies = 0;
let isFull = false;

const newRoot = () => {
  studies += 1;
  return `2.25.88${studies}`;
};
const uidAt = (root: string, number = 1) => `${root}.1.1.${number}`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Gives the SOP Class UID of the data set another tag. */
const withoutClass = (bytes: Uint8Array): Buffer => {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(Buffer.from([8, 0, 0x16, 0, 0x55, 0x49]));
  changed[at + 2] = 0x15;
  return changed;
};

/** Puts a NUL into a UID of the data set, which no database column can hold. */
const withNul = (bytes: Uint8Array, uid: string): Buffer => {
  const changed = Buffer.from(bytes);
  changed[changed.lastIndexOf(uid) + 3] = 0;
  return changed;
};

const filesOf = (root: string) =>
  archive.db
    .selectFrom('import_file')
    .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
    .select(['import_file.file_name', 'import_file.sha256', 'import_task.id', 'import_task.customer_id'])
    .where('import_task.source_study', '=', `${root}.1`)
    .orderBy('import_file.file_name')
    .execute();

beforeAll(async () => {
  archive = await archiveUnderTest({
    receivingTimes: quickTimes,
    readFolderSpace: async () => ({ freeBytes: isFull ? 0 : 2 ** 40, totalBytes: 2 ** 41 }),
    limits: { ...defaultLimits, fileBytes: 200_000, filesPerImport: 20 },
  });
  web = storeIn(archive);
});
afterAll(() => archive?.close());

describe('storing by DICOMweb', () => {
  it('acknowledges each object when its bytes and its row are saved, and names where it will be', async () => {
    const root = newRoot();
    const objects = [objectAt(root), objectAt(root, {}, 2)];
    const reply = await web.store(objects);
    const base = `http://localhost:8080/dicomweb/${archive.clinics.customerId}/studies/${root}.1`;
    expect(reply).toMatchObject({
      status: 200,
      type: 'application/dicom+json',
      stored: [uidAt(root), uidAt(root, 2)],
      failed: [],
      studyUrl: base,
      urls: [1, 2].map((number) => `${base}/series/${root}.1.1/instances/${uidAt(root, number)}`),
    });
    expect((await filesOf(root)).map((row) => row.sha256)).toEqual(objects.map(sha256));
    for (const one of objects) expect(await archive.archive.files.sizeOf(sha256(one))).toBe(one.length);
  });

  it.each([
    ['a quoted boundary', 'multipart/related; type="application/dicom"; boundary="b1"', {}],
    ['an unquoted type', 'multipart/related; type=application/dicom; boundary=b1', {}],
    [
      'a boundary of dcm4che',
      'multipart/related;type="application/dicom"; boundary=-------gc0p4Jq0M2Yt08jU534c0p',
      {
        boundary: '-------gc0p4Jq0M2Yt08jU534c0p',
      },
    ],
    ['a line before the first boundary', relatedType, { preamble: '\r\n' }],
    ['parts without header fields', relatedType, { partType: null }],
    [
      'parts that name their transfer syntax',
      relatedType,
      {
        partType: 'application/dicom; transfer-syntax=1.2.840.10008.1.2.1',
      },
    ],
  ])('reads %s', async (_, type, options) => {
    const root = newRoot();
    const objects = [objectAt(root), objectAt(root, {}, 2)];
    const reply = await web.send(relatedBody(objects, options), { type });
    expect(reply, reply.text).toMatchObject({ status: 200, stored: [uidAt(root), uidAt(root, 2)] });
    expect((await filesOf(root)).map((row) => row.sha256)).toEqual(objects.map(sha256));
  });

  it('reads a single object without multipart', async () => {
    const root = newRoot();
    const reply = await web.send(Buffer.from(objectAt(root)), { type: 'application/dicom' });
    expect(reply).toMatchObject({ status: 200, stored: [uidAt(root)] });
  });

  it.each(['1.2.840.10008.1.2', '1.2.840.10008.1.2.2', '1.2.840.10008.1.2.1.99'])(
    'finds the UIDs in the transfer syntax %s',
    async (syntax) => {
      const root = newRoot();
      const reply = await web.store([objectAt(root, {}, 1, syntax)]);
      expect(reply).toMatchObject({ status: 200, stored: [uidAt(root)] });
    },
  );

  it('answers in XML where the client accepts nothing else', async () => {
    const root = newRoot();
    const sent = [objectAt(root), Buffer.from('<no DICOM object>')];
    const reply = await web.store(sent, { accept: 'application/dicom+xml' });
    expect(reply).toMatchObject({ status: 202, type: 'application/dicom+xml' });
    expect(reply.text).toContain('<NativeDicomModel xmlns="http://dicom.nema.org/PS3.19/models/NativeDICOM"');
    expect(reply.text).toContain(
      `<DicomAttribute tag="00081155" vr="UI" keyword="ReferencedSOPInstanceUID"><Value number="1">${uidAt(root)}</Value>`,
    );
    expect(reply.text).toContain('keyword="FailureReason"><Value number="1">49152</Value>');
    const failed = await web.store(sent.slice(1), { accept: 'application/dicom+xml' });
    expect(failed).toMatchObject({ status: 409, type: 'application/dicom+xml' });
    expect(failed.text).toMatch(/^<\?xml .*<NativeDicomModel .*keyword="FailedSOPSequence">.*number="1">49152</s);
    expect(failed.text).not.toContain('ReferencedSOPSequence');
    const none = await web.store([objectAt(newRoot())], { accept: 'text/html' });
    expect(none).toMatchObject({ status: 406 });
  });

  it('keeps one import for the studies of each sender, and wakes it when the request ends', async () => {
    const root = newRoot();
    await web.store([objectAt(root)]);
    const [{ id } = { id: '' }] = await filesOf(root);
    expect(await deviceOf(archive).judged(id)).toMatchObject({ step: 3, source: 'dicomweb', total_files: 1 });
  });
});

describe('what is refused', () => {
  it('is named with its reason, beside what is stored', async () => {
    const root = newRoot();
    const other = newRoot();
    const reply = await web.store(
      [
        objectAt(root),
        Buffer.from('no DICOM object'),
        objectAt(root, { StudyInstanceUID: undefined }, 2),
        withoutClass(objectAt(root, {}, 3)),
        withNul(objectAt(root, {}, 6), uidAt(root, 6)),
        objectAt(other),
        Buffer.concat([objectAt(root, {}, 4), Buffer.alloc(300_000)]),
        objectAt(root, {}, 5),
      ],
      { study: `${root}.1` },
    );
    expect(reply).toMatchObject({
      status: 202,
      stored: [uidAt(root), uidAt(root, 5)],
      failed: [
        [undefined, 0xc000],
        [uidAt(root, 2), 0xc000],
        [uidAt(root, 3), 0xc000],
        [undefined, 0xc000],
        [uidAt(other), 0xa900],
        [uidAt(root, 4), 0xa700],
      ],
    });
    expect(await filesOf(root)).toHaveLength(2);
    expect(await filesOf(other)).toEqual([]);
  });

  it('is everything when no object is of the study', async () => {
    const reply = await web.store([objectAt(newRoot())], { study: '2.25.1' });
    expect(reply).toMatchObject({ status: 409, stored: [], studyUrl: undefined });
  });

  it('is what the disk has no space for', async () => {
    const root = newRoot();
    isFull = true;
    try {
      const reply = await web.store([objectAt(root), objectAt(root, {}, 2)]);
      expect(reply).toMatchObject({
        status: 409,
        failed: [
          [uidAt(root), 0xa700],
          [uidAt(root, 2), 0xa700],
        ],
      });
    } finally {
      isFull = false;
    }
    expect(await filesOf(root)).toEqual([]);
    expect(await web.store([objectAt(root)])).toMatchObject({ status: 200 });
  });

  it('is another object under the UID of one that the archive has; the same object is no error', async () => {
    const root = newRoot();
    const patientId = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19700101-2389',
    });
    await archive.importAll(patientId, { 'a.dcm': objectAt(root) });
    const reply = await web.store([objectAt(root, { SeriesDescription: 'Other' }), objectAt(root)]);
    expect(reply).toMatchObject({ status: 202, stored: [uidAt(root)], failed: [[uidAt(root), 0x0110]] });
    const [{ id } = { id: '' }] = await filesOf(root);
    // Nothing to decide: the archive has it.
    expect(await deviceOf(archive).judged(id)).toMatchObject({ step: 5, error: false });
    expect(
      (await dicomWebOf(archive).body(`/studies/${root}.1/series/${root}.1.1/instances/${uidAt(root)}`)).length,
    ).toBeGreaterThan(0);
  });

  it.each([
    ['no multipart body', 'application/json', '{}', 400],
    ['another type of the parts', 'multipart/related; type="application/dicom+xml"; boundary=b1', relatedBody([]), 415],
    ['no boundary', 'multipart/related; type="application/dicom"', relatedBody([]), 400],
    ['no parts', relatedType, relatedBody([]), 400],
    ['no end', relatedType, relatedBody([objectAt('2.25.89')]).subarray(0, 600), 400],
    ['JSON parts', relatedType, relatedBody([Buffer.from('{}')], { partType: 'application/json' }), 415],
  ])('is a request with %s', async (_, type, body, status) => {
    expect(await web.send(body, { type })).toMatchObject({ status });
  });

  it('are more objects than an import may have', async () => {
    const root = newRoot();
    const reply = await web.store(Array.from({ length: 21 }, (_, index) => objectAt(root, {}, index + 1)));
    expect(reply).toMatchObject({ status: 422 });
    expect(reply.text).toContain('too-many-files');
  });

  it('is an object whose sender goes away before its end; those before it stay', async () => {
    const root = newRoot();
    const body = relatedBody([objectAt(root), objectAt(root, {}, 2)]);
    const { hostname, port } = new URL(archive.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      [
        `POST /dicomweb/${archive.clinics.customerId}/studies HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${archive.clinics.doctorId}`,
        `Content-Type: ${relatedType}`,
        `Content-Length: ${body.length}`,
        '',
        '',
      ].join('\r\n'),
    );
    socket.write(body.subarray(0, body.length - 100));
    await expect.poll(async () => (await filesOf(root)).length).toBe(1);
    socket.destroy();
    const [{ id, file_name } = { id: '', file_name: '' }] = await filesOf(root);
    expect(file_name).toBe(`${uidAt(root)}.dcm`);
    expect(await deviceOf(archive).judged(id)).toMatchObject({ step: 3, total_files: 1 });
  });
});

describe('who may store', () => {
  it('are users and service accounts of the clinic alone', async () => {
    const { customerId, otherCustomerId, otherDoctorId, superId } = archive.clinics;
    const root = newRoot();
    const objects = [objectAt(root)];
    const service = await web.addService();
    expect(await web.store(objects, { as: otherDoctorId })).toMatchObject({ status: 404 });
    expect(await web.store(objects, { clinic: otherCustomerId })).toMatchObject({ status: 404 });
    expect(await web.store(objects, { clinic: otherCustomerId, as: service })).toMatchObject({ status: 404 });
    expect(await web.store(objects, { clinic: randomUUID(), as: superId })).toMatchObject({ status: 404 });
    expect(await web.store(objects, { as: 'unknown' })).toMatchObject({ status: 401 });
    expect(await filesOf(root)).toEqual([]);
    expect(await web.store(objects, { as: service })).toMatchObject({ status: 200 });
    expect((await filesOf(root)).map((row) => row.customer_id)).toEqual([customerId]);
  });

  it('is no service account without the scope', async () => {
    const reader = await web.addService({ scopes: ['dicomweb.read'] });
    expect(await web.store([objectAt(newRoot())], { as: reader })).toMatchObject({ status: 403 });
    const writer = await web.addService();
    const search = await archive.call(`/dicomweb/${archive.clinics.customerId}/studies`, { as: writer });
    expect(search.status).toBe(403);
  });

  it('is named in the access log and in the waiting list', async () => {
    const service = await web.addService();
    const root = newRoot();
    await web.store([objectAt(root)], { as: service });
    const [{ id } = { id: '' }] = await filesOf(root);
    const entries = archive.db.selectFrom('access_log').selectAll().where('object_id', '=', id);
    expect(await entries.where('action', '=', 'import.begun').execute()).toMatchObject([
      { account_id: service, customer_id: archive.clinics.customerId, patient_id: null },
    ]);
    const device = deviceOf(archive);
    await device.judged(id);
    expect((await device.waiting()).find((task) => task.id === id)).toMatchObject({
      source: { kind: 'dicomweb', name: 'PACS of the hospital' },
    });
    const mine = newRoot();
    await web.store([objectAt(mine)]);
    const [{ id: own } = { id: '' }] = await filesOf(mine);
    expect(await device.rowOf(own)).toMatchObject({ account_id: archive.clinics.doctorId, source: 'dicomweb' });
  });
});

it('stores at once what a service account with that right sends of exactly one patient, for everyone to retrieve', async () => {
  const { customerId } = archive.clinics;
  const patientId = await archive.addPatient({ customerId });
  const [atOnce, asking] = [await web.addService({ atOnce: true }), await web.addService()];
  const [root, other] = [newRoot(), newRoot()];
  await web.store([objectAt(root)], { as: atOnce });
  await web.store([objectAt(other)], { as: asking });
  const [[{ id } = { id: '' }], [{ id: waits } = { id: '' }]] = await Promise.all([filesOf(root), filesOf(other)]);
  expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, error: false });
  const path = `/studies/${root}.1/series/${root}.1.1/instances/${uidAt(root)}`;
  const reply = await dicomWebOf(archive).call(path, { headers: { accept: 'application/dicom' } });
  expect(sha256(Buffer.from(await reply.arrayBuffer()))).toBe(sha256(objectAt(root)));
  expect(await deviceOf(archive).judged(waits)).toMatchObject({ step: 3 });
  const steps = clinicImport(archive);
  await steps.decided(waits, `${other}.1`, { patientId });
  expect(await steps.imported(waits)).toMatchObject({ step: 5 });
  expect(archive.failures).toEqual([]);
});
