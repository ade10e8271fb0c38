import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import memory from '../../scripts/memory.json' with { type: 'json' };
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { insertFetch } from '../../server/db/stores/dicom-fetches.ts';
import { receivedFileMeta } from '../../server/dimse/provider/received-file-meta.ts';
import { getService } from '../../server/dimse/provider/retrieve-services.ts';
import { bytesOf } from '../dicom/build-dicom.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { archiveWithoutGet, otherTitle } from './archive-without-get.ts';
import { dataSetIn, xRay } from './commitment-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { explicitLittleEndian } from './dimse/peers.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';

const objectBytes = 500 << 20;
const block = Buffer.alloc(1 << 20, 'dentarium');
let mortal: MortalArchive;
let other: ArchiveUnderTest;

beforeAll(async () => {
  mortal = await mortalArchive('fetch-memory');
  other = await archiveUnderTest();
});
afterEach(() => mortal.killAll());
afterAll(async () => {
  await mortal?.close();
  await other?.close();
});

const named = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
const rights = { canRetrieve: true, canStore: false, atOnce: false, seesWorklist: false };

/** An object whose pixel data is of 500 MB, and the hash of the file that a receiver of it stores. */
const largeObject = (root: string, sopInstanceUid: string) => {
  const length = new Uint8Array(new Uint32Array([objectBytes]).buffer);
  const head = bytesOf(
    dataSetIn(objectAt(root, { ...named, PixelData: undefined })),
    [0xe0, 0x7f, 0x10, 0x00],
    'OW',
    [0, 0],
    length,
  );
  const hash = createHash('sha256');
  const titles = { callingAeTitle: otherTitle, calledAeTitle: 'DENTARIUM', address: '127.0.0.1' };
  const object = { sopClassUid: xRay, sopInstanceUid, transferSyntaxUid: explicitLittleEndian };
  for (const part of receivedFileMeta({ ...object, ...titles })) hash.update(part);
  hash.update(head);
  for (let at = 0; at < objectBytes; at += block.length) hash.update(block);
  const open = async function* () {
    yield head;
    for (let at = 0; at < objectBytes; at += block.length) yield block;
  };
  return { sha256: hash.digest('hex'), open };
};

/** The most memory that a process has used (proc(5)). */
const megabytesOf = ({ pid }: { readonly pid: number }): number => {
  const most = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  console.log(`most memory: ${Math.round(most)} MB`);
  return most;
};

it.each([
  ['C-GET', '2.25.381'],
  ['C-MOVE', '2.25.382'],
])(
  'an object of 500 MB is fetched whole by %s, in less than 200 MB of memory of each process',
  async (way, root) => {
    const { db, clinics, patientId } = mortal;
    const uid = `${root}.1.1.1`;
    const { sha256, open } = largeObject(root, uid);
    await dicomWebOf(other).addPatient({ personalNumber: `19700101-${root.slice(-4).replace('.', '0')}` }, [
      objectAt(root, named),
    ]);
    const source = await archiveWithoutGet(other, {
      ...(way === 'C-GET' ? { get: getService } : {}),
      retrieval: (retrieval) => ({
        ...retrieval,
        objectsOf: async (...identifier) =>
          (await retrieval.objectsOf(...identifier)).map((object) => ({ ...object, open: async () => open() })),
      }),
    });
    const start = (settings: object) => mortal.start(settings, 'fetch-process.ts', memory.flags);
    const gateway = start({ gatewayPort: 0 });
    const here = { name: 'Device', address: '127.0.0.1', ...rights };
    const archiveHere = {
      customerId: other.clinics.customerId,
      createdBy: other.clinics.adminId,
      aeTitle: 'DENTARIUM',
    };
    await other.db.deleteFrom('dicom_device').execute();
    await other.db
      .transaction()
      .execute(async (transaction) =>
        insertDicomDevice(transaction, { ...here, ...archiveHere, port: Number(await gateway.url) }),
      );
    await db.deleteFrom('dicom_fetch').execute();
    await db.deleteFrom('dicom_device').execute();
    await db.transaction().execute(async (transaction) => {
      const { customerId, adminId, doctorId } = clinics;
      const device = { ...here, customerId, createdBy: adminId, aeTitle: otherTitle, port: source.port };
      const deviceId = (await insertDicomDevice(transaction, device)) ?? '';
      const patient = { name: 'Lindström^Åsa', patientId: '19800101-1234', birthDate: '1980-01-01' };
      const study = { studyUid: `${root}.1`, description: '', studyDate: null, patient, isSamePatient: false };
      const fetch = { customer_id: customerId, patient_id: patientId, device_id: deviceId, created_by: doctorId };
      await insertFetch(transaction, { ...fetch, studies: [study] });
    });
    const fetcher = start({ fetches: true });
    const files = async () =>
      (await db.selectFrom('import_file').select('sha256').where('path', '=', `${uid}.dcm`).execute()).map(
        (file) => file.sha256,
      );
    await expect.poll(files, { timeout: 60_000, interval: 200 }).toEqual([sha256]);
    expect(megabytesOf(fetcher)).toBeLessThan(200);
    expect(megabytesOf(gateway)).toBeLessThan(200);
  },
  200_000,
);
