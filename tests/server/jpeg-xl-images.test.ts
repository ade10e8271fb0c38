import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImageInfo } from '../../contract/images.ts';
import type { Study } from '../../contract/studies.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { up } from '../../server/db/migrations/043-jpeg-xl-images.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { encodeJpegXl } from '../dicom/encode-jpeg-xl.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

const [rows, columns] = [90, 120];
const values = Uint16Array.from({ length: rows * columns }, (_, at) => (at * 37) % 4096);
const transferSyntax = '1.2.840.10008.1.2.4.110';
const signedUid = '2.25.3002';
const codecs = createCodecs();

let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  const info = { width: columns, height: rows, bitsPerSample: 12, componentCount: 1 };
  const frame = await encodeJpegXl(new Uint8Array(values.buffer), info);
  const attributes = { Rows: rows, Columns: columns, BitsAllocated: 16, BitsStored: 12, HighBit: 11 };
  await archive.importAll(patientId, {
    'a.dcm': smallObject({ ...attributes, PixelData: { frames: [frame] } }, transferSyntax),
    'b.dcm': smallObject(
      { ...attributes, SOPInstanceUID: signedUid, PixelRepresentation: 1, PixelData: { frames: [frame] } },
      transferSyntax,
    ),
  });
});
afterAll(() => archive?.close());

const images = async (): Promise<readonly ImageInfo[]> => {
  const reply = await archive.call(`/resource/study/bypatient/${patientId}`);
  const { data }: { data: Study[] } = await reply.json();
  return data.flatMap(({ series }) => series.flatMap((one) => one.images));
};
const image = async (): Promise<ImageInfo> => {
  const found = (await images()).find(({ sopInstanceUid }) => sopInstanceUid !== signedUid);
  if (!found) throw new Error('no image');
  return found;
};

/** Waits until thumbnails are made. */
const thumbnail = async (): Promise<string> => {
  await archive.archive.thumbnails.idle();
  const row = await archive.db
    .selectFrom('image')
    .select('thumb_status')
    .where('id', '=', (await image()).uid)
    .executeTakeFirstOrThrow();
  return row.thumb_status;
};

const renditionValues = async (): Promise<readonly number[]> => {
  const reply = await archive.call(`/resource/image/rendition?imageUID=${(await image()).uid}`);
  expect(reply.status).toBe(200);
  const rendition = readRendition(new Uint8Array(await reply.arrayBuffer()));
  return Array.from((await decodeRendition(rendition, codecs)).pixels);
};

it('an imported JPEG XL file is an image with its values and a thumbnail', async () => {
  expect(await image()).toMatchObject({ kind: 'image', width: columns, height: rows, imageCompression: 'lossless' });
  expect(await thumbnail()).toBe('ready');
  expect(await renditionValues()).toEqual([...values]);
});

it('one of signed samples is kept as a document', async () => {
  const signed = (await images()).find(({ sopInstanceUid }) => sopInstanceUid === signedUid);
  expect(signed).toMatchObject({ kind: 'document', imageTransferSyntax: transferSyntax });
});

it('one that was kept as a document becomes an image', async () => {
  const asDocument = { kind: 'document', thumb_status: 'ready' } as const;
  await archive.db.updateTable('image').set(asDocument).execute();
  expect(await image()).toMatchObject({ kind: 'document' });
  await up(archive.db as unknown as Kysely<unknown>);
  expect(await image()).toMatchObject({ kind: 'image' });
  expect(await renditionValues()).toEqual([...values]);
});
