import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureRecipe } from '../../demo/fixtures.ts';
import { drawRadiograph } from '../../demo/radiograph.ts';
import { readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { patchedBytes, replaceElements } from '../../dicom/write/replace-elements.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { unzipped } from './unzipped.ts';

const run = promisify(execFile);
const dcmmkdir = '/usr/bin/dcmmkdir';
const [columns, rows] = [64, 48];
let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  const { customerId } = archive.clinics;
  patientId = await archive.addPatient({
    customerId,
    firstName: 'Åsa',
    lastName: '<b>Lindström',
    personalNumber: '19800101-1234',
  });
  const noise = Buffer.from(Array.from({ length: columns * rows * 3 }, (_, at) => (at * 7919) % 256));
  const picture = await sharp(noise, { raw: { width: columns, height: rows, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  const radiograph = objectAt('2.25.601', {
    StudyDate: '20260310',
    Modality: 'IO',
  });
  await archive.importAll(patientId, { 'photo.jpg': new Uint8Array(picture) });
  await archive.importAll(patientId, { 'radiograph.dcm': radiograph });
});
afterAll(() => archive?.close());

const medium = async (more: object) => {
  const body = { patientId, content: 'dicom', ...more };
  const reply = await archive.post('/resource/image/download', body);
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  const zip = Buffer.from(await reply.arrayBuffer());
  expect(reply.headers.get('content-length')).toBe(String(zip.length));
  return new Map(await unzipped(zip));
};
const fileIn = (files: ReadonlyMap<string, Buffer>, name: string): Buffer => {
  const file = files.get(name);
  if (!file) throw new Error(`no ${name} in ${[...files.keys()]}`);
  return file;
};

/** Returns the errors of DCMTK when it makes a DICOMDIR of an application profile of a folder. */
const judged = async (profile: string, more: object): Promise<readonly string[]> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-disc-'));
  try {
    mkdirSync(path.join(folder, 'DICOM'));
    for (const [name, bytes] of await medium(more)) writeFileSync(path.join(folder, name), bytes);
    const command = [profile, '+id', folder, '+r', '+I', '+D', path.join(folder, 'MADE'), 'DICOM'];
    const { stderr } = await run(dcmmkdir, command).catch((error: { stderr: string }) => error);
    return stderr.split('\n').filter((line) => /^[EF]:/.test(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Detector ID, Manufacturer's Name and Model Name, which drawn images lack. */
const detector = new Map([
  [0x0018700a, { vr: 'SH', text: 'SENSOR-1' }],
  [0x0018702a, { vr: 'LO', text: 'Maker' }],
  [0x0018702b, { vr: 'LO', text: 'Model' }],
]);
const identity = {
  patient: {
    patientId: '19900101-1234',
    firstName: 'Eva',
    lastName: 'Berg',
    birthDate: '1990-01-01',
    sex: 'F' as const,
  },
  institutionName: 'Tandkliniken',
  study: { uid: '2.25.611', description: 'Status', accessionNumber: '1', startedAt: '2026-01-02T10:00:00' },
  series: { uid: '2.25.612', number: 1, description: 'Bitewing' },
  image: { sopInstanceUid: '2.25.613', number: 1, acquiredAt: '2026-01-02T10:00:00', comment: '', teeth: [36] },
};

describe('an uncompressed DICOM folder', () => {
  it('has every image decoded, in Explicit VR Little Endian, in the files and in the DICOMDIR', async () => {
    const stored = await medium({});
    const plain = await medium({ uncompressed: true });
    expect([...plain.keys()]).toEqual([...stored.keys()]);
    const names = [...plain.keys()].filter((name) => name !== 'DICOMDIR');
    expect(new Set(names.map((name) => readDicomFile(fileIn(stored, name)).transferSyntaxUid))).toContain(
      '1.2.840.10008.1.2.4.50',
    );
    for (const name of names) {
      const { transferSyntaxUid, meta, dataSet } = readDicomFile(fileIn(plain, name));
      expect(transferSyntaxUid).toBe(transferSyntaxes.explicitLittleEndian);
      const before = readDicomFile(fileIn(stored, name)).dataSet;
      expect(dataSet.code(tags.sopInstanceUid)).toBe(before.code(tags.sopInstanceUid));
      expect(meta?.code(tags.mediaStorageSopInstanceUid)).toBe(before.code(tags.sopInstanceUid));
      const samples = dataSet.number(tags.samplesPerPixel, 'US') ?? 1;
      const bytes = (dataSet.number(tags.bitsAllocated, 'US') ?? 8) / 8;
      const size = (dataSet.number(tags.rows, 'US') ?? 0) * (dataSet.number(tags.columns, 'US') ?? 0);
      expect(dataSet.bytes(tags.pixelData)?.length).toBe(size * samples * bytes);
    }
    const listed = readDirectory(readDicomFile(fileIn(plain, 'DICOMDIR')));
    expect(listed.map(({ path: place }) => place.join('/'))).toEqual(names);
  });

  it.skipIf(!existsSync(dcmmkdir))('meets STD-GEN-CD as DCMTK judges it, and stored files do not', async () => {
    expect(await judged('-Pgp', { uncompressed: true })).toEqual([]);
    expect((await judged('-Pgp', {})).join('\n')).toContain('LittleEndianExplicit expected');
  });

  it.skipIf(!existsSync(dcmmkdir))('meets STD-DEN-CD where the files have its attributes, and else not', async () => {
    const dental = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19900101-1234',
    });
    const drawn = await Promise.all(
      (['io-12bit', 'io-htj2k', 'px-16bit-jls'] as const).map(async (name, index): Promise<[string, Uint8Array]> => {
        const image = { ...identity.image, sopInstanceUid: `2.25.61${index}`, number: index + 1 };
        const bytes = await drawRadiograph(fixtureRecipe(name), { ...identity, image });
        return [`${name}.dcm`, patchedBytes(bytes, replaceElements(readDicomFile(bytes).dataSet, detector))];
      }),
    );
    await archive.importAll(dental, Object.fromEntries(drawn));
    expect(await judged('-Pde', { patientId: dental, uncompressed: true })).toEqual([]);
    expect(await judged('-Pde', { uncompressed: true })).not.toEqual([]);
  });
});

describe('a DICOM folder with pictures', () => {
  it('has a page that names the patient and shows a JPEG of each image, beside the same DICOM files', async () => {
    const files = await medium({ pictureIndex: true, language: 'en' });
    const without = await medium({});
    for (const name of without.keys()) if (name !== 'DICOMDIR') expect(fileIn(files, name)).toEqual(without.get(name));
    const page = fileIn(files, 'INDEX.HTM').toString();
    expect(page).toContain('&lt;b&gt;Lindström, Åsa 19800101-1234');
    expect(page).not.toContain('<script');
    const pictures = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, name = '']) => name);
    expect(pictures).toHaveLength(2);
    for (const name of pictures) {
      const { format, width } = await sharp(fileIn(files, name)).metadata();
      expect([format, width]).toEqual(['jpeg', 1600]);
    }
    const links = [...page.matchAll(/<a href="(DICOM[^"]+)"/g)].map(([, name = '']) => name);
    expect(links.every((name) => files.has(name))).toBe(true);
    expect(page).toContain('Exposed 2026-03-10');
  });

  it.each(['originals', 'anonymised', 'record'])('is refused for %s', async (content) => {
    for (const more of [{ pictureIndex: true }, { uncompressed: true }])
      expect((await archive.post('/resource/image/download', { patientId, content, ...more })).status).toBe(400);
  });
});
