import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from '../dicom/corpus.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, partsOf } from './dicomweb-under-test.ts';
import { importCorpusFile } from './import-corpus-file.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  if (corpusIsThere)
    archive = await archiveUnderTest({ dicomWeb: { publicUrl: 'https://images.example', origins: [] } });
});
afterAll(() => archive?.close());

/** Imports a file; null when the import refuses it. */
const imported = async (file: string) => {
  const row = await importCorpusFile(archive, file);
  if (!row) return null;
  const { as, customerId } = row;
  const [study, series, instance] = [row.study, row.series, row.instance].map(encodeURIComponent);
  const place = `/studies/${study}/series/${series}/instances/${instance}`;
  const web = dicomWebOf(archive, customerId);
  const json = (target: string) => web.json(target, { as });
  const call = (target: string, accept = '*/*') => web.call(`${place}${target}`, { as, headers: { accept } });
  return { place, kind: row.kind, json, call };
};

/** One acquisition in several transfer syntaxes. */
const sameImage = [
  'explicit-be/MR_small_bigendian.dcm',
  'rle/MR_small_RLE.dcm',
  'jpeg-ls/MR_small_jpeg_ls_lossless.dcm',
  'j2k-lossless/MR_small_jp2klossless.dcm',
];

describe.skipIf(!corpusIsThere)('files of the corpus', () => {
  it.each(sameImage)('decode to the frame of the uncompressed file: %s', async (file) => {
    const plain = readDicomFile(corpusBytes('implicit-le/MR_small_implicit.dcm'));
    const description = describeImage(plain);
    if (!description) throw new Error('no picture');
    const found = await imported(file);
    if (!found) throw new Error('not imported');
    const [part] = partsOf(Buffer.from(await (await found.call('/frames/1')).arrayBuffer()));
    expect(part?.body).toEqual(Buffer.from(encodedFrame(plain, description, 0)));
  });

  const one = corpusFiles().filter((file) => !/^(bad-input|dicomdir|dental-raster)\//.test(file));
  it.each(one)('have metadata, and pictures where they have pixels: %s', async (file) => {
    const found = await imported(file);
    if (!found) return;
    const [metadata] = await found.json(`${found.place}/metadata`);
    expect(metadata?.['00080018']?.Value).toEqual([decodeURIComponent(found.place.split('/').at(-1) ?? '')]);
    expect(JSON.stringify(metadata)).not.toContain('\\u0000');
    const object = await found.call('');
    const [part] = partsOf(Buffer.from(await object.arrayBuffer()));
    const sent = readDicomFile(part?.body ?? Buffer.alloc(0));
    const stored = readDicomFile(corpusBytes(file));
    expect(sent.transferSyntaxUid).toBe(stored.transferSyntaxUid);
    if (found.kind === 'document') return;
    const rendered = await found.call('/rendered', 'image/png');
    const frame = await found.call('/frames/1', 'multipart/related; type=application/octet-stream; transfer-syntax=*');
    // What the archive cannot decode has no picture, and its frames are refused too.
    expect([200, 422], `rendered ${rendered.status}`).toContain(rendered.status);
    expect(frame.status).toBe(rendered.status);
  });
});
