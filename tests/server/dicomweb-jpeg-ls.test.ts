import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureRecipe } from '../../demo/fixtures.ts';
import { drawRadiograph } from '../../demo/radiograph.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt, partsOf } from './dicomweb-under-test.ts';

const dcmdjpls = '/usr/bin/dcmdjpls';
const codecs = createCodecs();
const jpegLs = '1.2.840.10008.1.2.4.80';
const names = [
  'io-12bit',
  'io-mono1',
  'io-htj2k',
  'io-rle',
  'io-big-endian',
  'cr-deflated',
  'ct-signed-j2k',
  'photo-jpeg',
] as const;
const root = '2.25.91';
const uids = new Map(names.map((name, index) => [name, `${root}${index}`]));
const unheld = '2.25.920';
const identityOf = (uid: string) => ({
  patient: {
    patientId: '19800101-1234',
    firstName: 'Åsa',
    lastName: 'Öst',
    birthDate: '1980-01-01',
    sex: 'F' as const,
  },
  institutionName: 'Tandkliniken',
  study: { uid: `${uid}.1`, description: 'Status', accessionNumber: '1', startedAt: '2026-01-02T10:00:00' },
  series: { uid: `${uid}.1.1`, number: 1, description: 'Bitewing' },
  image: { sopInstanceUid: `${uid}.1.1.1`, number: 1, acquiredAt: '2026-01-02T10:00:00', comment: '', teeth: [36] },
});
const drawn = new Map<string, Uint8Array>();
let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;

beforeAll(async () => {
  archive = await archiveUnderTest();
  web = dicomWebOf(archive);
  for (const [name, uid] of uids) drawn.set(name, await drawRadiograph(fixtureRecipe(name), identityOf(uid)));
  // Values in the upper bits, which the header of a JPEG-LS image would place elsewhere.
  const upper = objectAt(unheld, { BitsStored: 12, HighBit: 15 });
  await web.addPatient({ personalNumber: '19800101-1234' }, [...drawn.values(), upper]);
});
afterAll(() => archive?.close());

const frameOf = (uid: string) => `/studies/${uid}.1/series/${uid}.1.1/instances/${uid}.1.1.1/frames/1`;

describe('a client that accepts JPEG-LS alone', () => {
  it.each(names)('gets every value of %s', async (name) => {
    const file = readDicomFile(drawn.get(name) ?? new Uint8Array());
    const description = describeImage(file);
    if (!description) throw new Error('no image');
    const expected = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
    const body = await web.body(frameOf(uids.get(name) ?? ''), 'multipart/related; type="image/jls"');
    const [part] = partsOf(body);
    expect(part?.headers['content-type']).toBe(`image/jls; transfer-syntax=${jpegLs}`);
    const received = await decodeFrame(
      { ...description, transferSyntaxUid: jpegLs, photometricInterpretation: 'RGB' },
      part?.body ?? new Uint8Array(),
      codecs,
    );
    expect(Buffer.compare(Buffer.from(received.pixels.buffer), Buffer.from(expected.pixels.buffer))).toBe(0);
    expect(received.pixels.length).toBe(description.rows * description.columns * description.samplesPerPixel);
  });

  it.skipIf(!existsSync(dcmdjpls)).each(['io-12bit', 'io-mono1', 'ct-signed-j2k', 'photo-jpeg'] as const)(
    'decodes %s with DCMTK to the same values',
    async (name) => {
      const file = readDicomFile(drawn.get(name) ?? new Uint8Array());
      const description = describeImage(file);
      if (!description) throw new Error('no image');
      const expected = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
      const body = await web.body(frameOf(uids.get(name) ?? ''), 'image/jls');
      const { rows, columns, samplesPerPixel, bitsAllocated, bitsStored, highBit, signed } = description;
      const object = writeDicom(
        {
          SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
          SOPInstanceUID: '2.25.930',
          SamplesPerPixel: samplesPerPixel,
          PhotometricInterpretation: samplesPerPixel === 3 ? 'RGB' : 'MONOCHROME2',
          ...(samplesPerPixel === 3 && { PlanarConfiguration: 0 }),
          Rows: rows,
          Columns: columns,
          BitsAllocated: bitsAllocated,
          BitsStored: bitsStored,
          HighBit: highBit,
          PixelRepresentation: signed ? 1 : 0,
          PixelData: { frames: [body] },
        },
        { transferSyntax: jpegLs },
      );
      const [packed, plain] = ['packed.dcm', 'plain.dcm'].map((end) => path.join(archive.dataFolder, `${name}-${end}`));
      await writeFile(packed ?? '', object);
      await promisify(execFile)(dcmdjpls, [packed ?? '', plain ?? '']);
      const { dataSet } = readDicomFile(new Uint8Array(await readFile(plain ?? '')));
      const values = Buffer.from(dataSet.bytes(0x7fe00010) ?? []);
      expect(values.compare(Buffer.from(expected.pixels.buffer))).toBe(0);
    },
  );

  it('gets one body, and 406 for a stored syntax that it does not accept', async () => {
    const uid = uids.get('io-htj2k') ?? '';
    const reply = await web.call(frameOf(uid), { headers: { accept: `image/jls; transfer-syntax=${jpegLs}` } });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `image/jls; transfer-syntax=${jpegLs}`]);
    for (const syntax of ['*', '1.2.840.10008.1.2.4.81'])
      expect(
        (await web.call(frameOf(uid), { headers: { accept: `image/jls; transfer-syntax=${syntax}` } })).status,
      ).toBe(406);
  });

  it('gets 406 for an image that it cannot hold exactly', async () => {
    const reply = await web.call(frameOf(unheld), { headers: { accept: 'multipart/related; type="image/jls"' } });
    expect([reply.status, await reply.json()]).toMatchObject([406, { code: 'not-acceptable' }]);
  });
});
