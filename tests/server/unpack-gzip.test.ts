import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Study } from '../../contract/studies.ts';
import type { ImportFileRow } from '../../server/db/stores/imports.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';
import { noise, zipUnpacking } from './zip-unpacking.ts';

const { received, unpackRow, files, temporaryFolder } = zipUnpacking();
const unpack = async (bytes: Buffer, limits: Parameters<typeof unpackRow>[1] = {}) =>
  unpackRow(await received(bytes, 'IM0001.dcm.gz'), limits);
const outcome = ({ path, status, problem }: ImportFileRow) => [path, status, problem];
const bytes = noise(100_000);

describe('a gzip is unpacked', () => {
  it('into one row with the name of the file inside', async () => {
    const { zip, entries } = await unpack(gzipSync(bytes));
    expect(zip).toMatchObject({ status: 'unpacked', problem: null });
    expect(entries.map(outcome)).toEqual([['IM0001.dcm', 'received', null]]);
    const [row] = entries;
    expect(row?.size_bytes).toBe(bytes.length);
    expect((await buffer(await files().openRange(row?.sha256 ?? ''))).equals(bytes)).toBe(true);
  });

  it.each([
    ['that is cut off', gzipSync(bytes).subarray(0, 50_000), {}, 'zip-damaged'],
    ['with another byte', gzipSync(bytes).map((byte, at) => (at === 50_000 ? byte ^ 255 : byte)), {}, 'zip-damaged'],
    ['that is larger than a file may be', gzipSync(bytes), { fileBytes: 99_999 }, 'too-large'],
    ['that is larger than all unpacked files may be', gzipSync(bytes), { zipBytes: 99_999 }, 'zip-too-large'],
    ['of zeros, a thousand times as large', gzipSync(Buffer.alloc(2 ** 25)), {}, 'zip-bomb'],
  ])('and one %s is refused, without remains', async (_, packed, limits, problem) => {
    const { entries } = await unpack(Buffer.from(packed), { limits });
    expect(entries.map(outcome)).toEqual([['IM0001.dcm', 'refused', problem]]);
    expect(await readdir(temporaryFolder())).toEqual([]);
  });
});

describe('an import', () => {
  let archive: ArchiveUnderTest;
  beforeAll(async () => {
    archive = await archiveUnderTest();
  });
  afterAll(() => archive.close());

  it('shows the image of a DICOM file in a gzip, and stores the file as it is inside', async () => {
    const patientId = await archive.addPatient({ customerId: archive.clinics.customerId });
    const object = Buffer.from(smallObject());
    await archive.importAll(patientId, { 'one.dcm.gz': gzipSync(object) });
    const reply = await archive.call(`/resource/study/bypatient/${patientId}`);
    const [study]: Study[] = (await reply.json()).data;
    const [image] = study?.series[0]?.images ?? [];
    expect([image?.kind, image?.imageFileName]).toEqual(['image', 'one.dcm']);
    const stored = await archive.call(`/resource/viewset/get_image?imageUID=${image?.uid}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(object)).toBe(true);
  });
});
