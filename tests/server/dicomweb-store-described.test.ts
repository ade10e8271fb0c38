import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DicomJson, jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { pictureToDicom } from '../../server/dicom/picture-to-dicom.ts';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { type DescribedPart, describedBody, describedType } from './described-body.ts';
import { storeIn } from './dicomweb-store-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof storeIn>;
let studies = 0;
const newRoot = () => {
  studies += 1;
  return `2.25.89${studies}`;
};
const uidAt = (root: string, number = 1) => `${root}.1.1.${number}`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pixels = new Uint8Array(new Uint16Array(48).map((_, index) => index * 80).buffer);
const icc = new Uint8Array(3_001).fill(7);

beforeAll(async () => {
  const limits = { ...defaultLimits, fileBytes: 200_000, filesPerImport: 20 };
  archive = await archiveUnderTest({ receivingTimes: quickTimes, limits });
  web = storeIn(archive);
});
afterAll(() => archive?.close());

/** The metadata of an object, with pixels and long values at addresses of their own. */
const metadataOf = (bytes: Uint8Array, name = 'bulk'): DicomJson =>
  jsonOf(readDicomFile(bytes).dataSet, (path) => `${name}/${path}`);
const bulk = (location: string | null, bytes: Uint8Array, contentType = 'application/octet-stream'): DescribedPart => ({
  contentType,
  location,
  bytes,
});
const json = (value: unknown): DescribedPart => ({
  contentType: 'application/dicom+json',
  location: null,
  bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});
const send = (parts: readonly DescribedPart[], study?: string) =>
  web.send(describedBody(parts), { type: describedType, ...(study === undefined ? {} : { study }) });
const filesOf = async (root: string) =>
  (
    await archive.db
      .selectFrom('import_file')
      .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
      .select('import_file.sha256')
      .where('import_task.source_study', '=', `${root}.1`)
      .orderBy('import_file.file_name')
      .execute()
  ).map((row) => row.sha256 ?? '');
const storedFile = async (root: string) => {
  const [hash = ''] = await filesOf(root);
  return readDicomFile(Buffer.concat(await (await archive.archive.files.openRange(hash)).toArray()));
};

describe('an instance of metadata and bulk data', () => {
  it.each(['first', 'last'])('is the file that it describes, byte for byte, with the metadata %s', async (place) => {
    const root = newRoot();
    const whole = objectAt(root, { ICCProfile: icc, PatientName: 'Åström^Öyvind' });
    const parts = [json([metadataOf(whole)]), bulk('bulk/00282000', icc), bulk('bulk/7FE00010', pixels)];
    const reply = await send(place === 'first' ? parts : parts.toReversed());
    expect(reply).toMatchObject({ status: 200, stored: [uidAt(root)], failed: [] });
    expect(await filesOf(root)).toEqual([sha256(whole)]);
  });

  it('may be one of several, in one part or in parts of their own, and may share a value', async () => {
    const root = newRoot();
    const objects = [1, 2, 3].map((number) => objectAt(root, {}, number));
    const [one, two, three] = objects.map((bytes) => metadataOf(bytes));
    const reply = await send([json([one, two]), json(three), bulk('bulk/7FE00010', pixels)]);
    expect(reply).toMatchObject({ status: 200, stored: [1, 2, 3].map((number) => uidAt(root, number)) });
    expect(await filesOf(root)).toEqual(objects.map(sha256));
    const other = newRoot();
    const list = [1, 2].map((number) => metadataOf(objectAt(other, {}, number)));
    expect(await send([bulk('bulk/7FE00010', pixels), json(list)])).toMatchObject({ status: 200, failed: [] });
    expect(await filesOf(other)).toHaveLength(2);
  });

  it('may have its pixels inline', async () => {
    const root = newRoot();
    const metadata = metadataOf(objectAt(root));
    metadata['7FE00010'] = { vr: 'OW', InlineBinary: Buffer.from(pixels).toString('base64') };
    expect(await send([json([metadata])])).toMatchObject({ status: 200 });
    expect(await filesOf(root)).toEqual([sha256(objectAt(root))]);
  });

  it('has the transfer syntax of its codestream', async () => {
    const info = {
      width: 8,
      height: 6,
      bitsPerSample: 16,
      componentCount: 1,
      isSigned: false,
      isUsingColorTransform: false,
    };
    const lossless = await encodeJpegLs(pixels, info);
    const small = { width: 8, height: 6, channels: 1 as const };
    const baseline = await sharp(Buffer.alloc(48, 90), { raw: small }).toColourspace('b-w').jpeg().toBuffer();
    for (const [contentType, bytes, syntax, bits] of [
      ['image/jls', lossless, '1.2.840.10008.1.2.4.80', 16],
      ['image/jls; transfer-syntax=1.2.840.10008.1.2.4.81', lossless, '1.2.840.10008.1.2.4.81', 16],
      ['image/jpeg', baseline, '1.2.840.10008.1.2.4.50', 8],
    ] as const) {
      const root = newRoot();
      const metadata = metadataOf(objectAt(root));
      metadata['00280100'] = { vr: 'US', Value: [bits] };
      const reply = await send([json([metadata]), bulk('bulk/7FE00010', bytes, contentType)]);
      expect(reply, contentType).toMatchObject({ status: 200, stored: [uidAt(root)] });
      const { transferSyntaxUid, dataSet } = await storedFile(root);
      expect(transferSyntaxUid).toBe(syntax);
      const element = dataSet.elements.get(0x7fe00010);
      expect(element?.fragments).toHaveLength(2);
      const { offset = 0, length = 0 } = element?.fragments?.[1] ?? {};
      const fragment = dataSet.source.bytes.subarray(offset, offset + length);
      expect(Buffer.from(fragment).subarray(0, bytes.length)).toEqual(Buffer.from(bytes));
      expect(length - bytes.length).toBe(bytes.length % 2);
    }
  });
});

it.skipIf(!existsSync('/usr/bin/dciodvfy'))('a conformant instance has no error by dciodvfy', async () => {
  const root = newRoot();
  const source = path.join(archive.dataFolder, 'picture.png');
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a86' } })
    .png()
    .toFile(source);
  const identity = {
    patient: { name: 'Åström^Öyvind', id: '19800101-1234', birthDate: '1980-01-01', sex: 'F' as const },
    study: {
      instanceUid: `${root}.1`,
      id: '1',
      date: '2026-01-02',
      time: null,
      description: null,
      accessionNumber: null,
    },
    series: { instanceUid: `${root}.1.1`, number: 1, modality: 'XC', description: null },
    instance: { sopInstanceUid: uidAt(root), number: 1, acquiredDate: '2026-01-02', acquiredTime: null },
  };
  const object = await pictureToDicom({ path: source }, identity, 2 ** 20);
  const { dataSet } = readDicomFile(object);
  const element = dataSet.elements.get(0x7fe00010);
  const { offset = 0, length = 0 } = element?.fragments?.[1] ?? { ...element };
  const contentType = element?.fragments ? 'image/jls' : 'application/octet-stream';
  const pixelBytes = dataSet.source.bytes.slice(offset, offset + length);
  const metadata = { ...metadataOf(object), '00080033': { vr: 'TM', Value: ['101500'] } };
  const reply = await send([json([metadata]), bulk('bulk/7FE00010', pixelBytes, contentType)]);
  expect(reply).toMatchObject({ status: 200, stored: [uidAt(root)] });
  const [hash = ''] = await filesOf(root);
  const file = path.join(archive.dataFolder, 'written.dcm');
  await writeFile(file, await archive.archive.files.openRange(hash));
  const { stdout, stderr } = await promisify(execFile)('/usr/bin/dciodvfy', ['-new', file]).catch((error) => error);
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
  expect(`${stdout}${stderr}`).toMatch(/VLPhotographicImage/);
});

describe('what is refused of metadata and bulk data', () => {
  const notUnderstood = 0xc000;
  /** Sends a sound instance and others, and expects that only the sound one is stored, and that nothing is left on the disk. */
  const expectRefused = async (root: string, parts: readonly DescribedPart[], failed: readonly unknown[]) => {
    const sound = newRoot();
    const whole = [json([metadataOf(objectAt(sound), 'sound')]), bulk('sound/7FE00010', pixels)];
    expect(await send([...whole, ...parts])).toMatchObject({ status: 202, stored: [uidAt(sound)], failed });
    expect(await filesOf(root)).toEqual([]);
    expect(await filesOf(sound)).toEqual([sha256(objectAt(sound))]);
    expect(await readdir(path.join(archive.dataFolder, 'files', 'temporary'))).toEqual([]);
    expect(archive.failures).toEqual([]);
  };

  it('is an instance whose bulk data is missing, and bulk data without an instance', async () => {
    const root = newRoot();
    await expectRefused(root, [json([metadataOf(objectAt(root))])], [[uidAt(root), notUnderstood]]);
    const unknown: [undefined, number] = [undefined, notUnderstood];
    await expectRefused(root, [bulk('elsewhere', pixels)], [unknown]);
    await expectRefused(root, [bulk(null, pixels)], [unknown]);
  });

  it.each([
    ['pixels that are too short', pixels.subarray(2), 'application/octet-stream'],
    ['pixels that are too long', new Uint8Array(98), 'application/octet-stream'],
    ['big endian pixels', pixels, 'application/octet-stream; transfer-syntax=1.2.840.10008.1.2.2'],
    ['no codestream', pixels, 'image/jls'],
    ['no JPEG', Uint8Array.of(0xff, 0xd8, 0, 0), 'image/jpeg'],
    [
      'a codestream of another syntax',
      Uint8Array.of(0xff, 0xd8, 0, 0),
      'image/jls; transfer-syntax=1.2.840.10008.1.2.4.90',
    ],
    ['an unknown media type', pixels, 'image/gif'],
  ])('is an instance with %s', async (_, bytes, contentType) => {
    const root = newRoot();
    const parts = [json([metadataOf(objectAt(root))]), bulk('bulk/7FE00010', bytes, contentType)];
    await expectRefused(root, parts, [[uidAt(root), notUnderstood]]);
  });

  it.each<[string, (metadata: DicomJson) => unknown]>([
    ['a value of another kind', (metadata) => ({ ...metadata, '00280010': { vr: 'US', Value: ['six'] } })],
    ['a number that does not fit', (metadata) => ({ ...metadata, '00280010': { vr: 'US', Value: [65_536] } })],
    ['an unknown VR', (metadata) => ({ ...metadata, '00100010': { vr: 'XX', Value: ['A'] } })],
    ['a backslash in a value', (metadata) => ({ ...metadata, '00100020': { vr: 'LO', Value: ['A\\B'] } })],
    ['a tag that is none', (metadata) => ({ ...metadata, PatientName: { vr: 'PN' } })],
    ['an attribute that is none', (metadata) => ({ ...metadata, '00100010': 'A' })],
    ['an item that is none', (metadata) => ({ ...metadata, '00081140': { vr: 'SQ', Value: [1] } })],
    [
      'several values',
      (metadata) => ({ ...metadata, '7FE00010': { vr: 'OW', BulkDataURI: 'a', InlineBinary: 'AAA=' } }),
    ],
    ['broken base64', (metadata) => ({ ...metadata, '00282000': { vr: 'OB', InlineBinary: 'A' } })],
    ['bulk data of a short text', (metadata) => ({ ...metadata, '00100020': { vr: 'LO', BulkDataURI: 'a' } })],
    ['no size of its pixels', ({ '00280010': _, ...metadata }) => metadata],
    ['several frames in one codestream', (metadata) => ({ ...metadata, '00280008': { vr: 'IS', Value: [2] } })],
  ])('is an instance with %s', async (_, change) => {
    const root = newRoot();
    const metadata = metadataOf(objectAt(root));
    delete metadata['7FE00010'];
    const withPixels = { ...metadata, '7FE00010': { vr: 'OW', InlineBinary: Buffer.from(pixels).toString('base64') } };
    await expectRefused(root, [json([change(withPixels)])], [[uidAt(root), notUnderstood]]);
  });

  it('is metadata that is no JSON, or without UIDs', async () => {
    const unknown: [undefined, number] = [undefined, notUnderstood];
    for (const text of ['{', '1', '"a"', '[null]', '[[]]', '[{}]'])
      await expectRefused('2.25.9', [json(text)], [unknown]);
  });

  it('is an instance with more bytes than a file may have, or of another study', async () => {
    const root = newRoot();
    const metadata = [json([metadataOf(objectAt(root))])];
    await expectRefused(root, [...metadata, bulk('bulk/7FE00010', new Uint8Array(200_001))], [[uidAt(root), 0xa700]]);
    const reply = await send([...metadata, bulk('bulk/7FE00010', pixels)], '2.25.1');
    expect(reply).toMatchObject({ status: 409, failed: [[uidAt(root), 0xa900]] });
  });

  it('are more instances than an import may have, and a request without any', async () => {
    const root = newRoot();
    const all = Array.from({ length: 21 }, (_, index) => metadataOf(objectAt(root, {}, index + 1)));
    expect((await send([json(all)])).status).toBe(422);
    expect((await send([])).status).toBe(400);
  });
});
