import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DicomJson, jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { isVideo, pixelEncodingOf, transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { fileMeta } from '../../dicom/write/file-meta.ts';
import { isStorageClass } from '../../server/dimse/provider/supported-syntaxes.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from '../dicom/corpus.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { type GatewayUnderTest, gatewayUnderTest, type Received } from './gateway-under-test.ts';
import { importCorpusFile } from './import-corpus-file.ts';

const run = promisify(execFile);
const dump = '/usr/bin/dcmdump';
const { explicitLittleEndian: explicit, implicitLittleEndian: implicit, explicitBigEndian } = transferSyntaxes;
const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-gateway-corpus-'));
let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let devices = 0;

beforeAll(async () => {
  if (!corpusIsThere) return;
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (sopClass: string, { transferSyntax, dataSet }: Received): Buffer =>
  Buffer.concat([...fileMeta(sopClass, '2.25.1', transferSyntax), dataSet].map((part) => Buffer.from(part)));

/** What the records or the decoder change. */
const isChanged = (tag: string): boolean =>
  /^(0010|00020|00200(00D|00E)|0008(0005|0020|0050|1030)|002800(04|06)|00282110|0088020|7FE0)/.test(tag) ||
  Number.parseInt(tag[3] ?? '', 16) % 2 === 1;

const isItem = (value: unknown): value is DicomJson => typeof value === 'object' && value !== null;

/** Elements that have another value than in the stored file. Implicit VR does not say which of two VRs a value has. */
const differences = (before: DicomJson, after: DicomJson): string[] =>
  Object.entries(before)
    .filter(([tag, { vr }]) => !isChanged(tag) && vr === after[tag]?.vr)
    .flatMap(([tag, attribute]) => {
      const [items, others] = [attribute.Value ?? [], after[tag]?.Value ?? []];
      if (attribute.vr !== 'SQ') return JSON.stringify(attribute) === JSON.stringify(after[tag]) ? [] : [tag];
      if (items.length !== others.length) return [tag];
      return items.flatMap((item, index) => {
        const other = others[index];
        return isItem(item) && isItem(other) ? differences(item, other) : [];
      });
    });

describe.skipIf(!corpusIsThere)('files of the corpus', () => {
  const all = corpusFiles().filter((file) => !/^(bad-input|dicomdir|dental-raster)\//.test(file));
  it.each(all)('are fetched in both plain syntaxes with the same values and pixels: %s', async (file) => {
    const found = await importCorpusFile(archive, file);
    const { sop_class_uid: sopClass, transfer_syntax: stored } = found ?? {};
    if (!found || !sopClass || !stored || !isStorageClass(sopClass)) return;
    const isImage = found.kind === 'image';
    const canConvert = pixelEncodingOf(stored) !== 'unsupported' && !isVideo(stored) && stored !== explicitBigEndian;
    devices += 1;
    const aeTitle = `UNIT${devices}`;
    await gateway.addDevice({ customerId: found.customerId, aeTitle });
    const keys = { '00080052': 'STUDY', '0020000D': found.study };
    const fetched = await Promise.all(
      [explicit, implicit].map((syntax) => gateway.get(keys, { aeTitle, stored: [[sopClass, [syntax]]] })),
    );
    const [first, second] = fetched.map(({ received }) => received[0]);
    if (!first || !second) {
      // A frame that the archive cannot decode, or a syntax that it does not convert.
      const frame = isImage
        ? await archive.call(
            `/dicomweb/${found.customerId}/studies/${found.study}/series/${found.series}/instances/${found.instance}/frames/1`,
            { as: found.as },
          )
        : null;
      expect(canConvert && (frame === null || frame.status === 200), `${file} ${stored}`).toBe(false);
      return;
    }
    const [one, other] = [first, second].map((received) => fileOf(sopClass, received));
    if (!one || !other) throw new Error('nothing came');
    const [read, readOther] = [readDicomFile(one).dataSet, readDicomFile(other).dataSet];
    expect(read.bytes(tags.pixelData)?.length ?? 0).toBe(readOther.bytes(tags.pixelData)?.length ?? 0);
    expect(
      Buffer.compare(read.bytes(tags.pixelData) ?? Buffer.alloc(0), readOther.bytes(tags.pixelData) ?? Buffer.alloc(0)),
    ).toBe(0);
    const before = jsonOf(readDicomFile(corpusBytes(file)).dataSet, () => null);
    expect(
      differences(
        before,
        jsonOf(read, () => null),
      ),
    ).toEqual([]);
    expect(
      differences(
        before,
        jsonOf(readOther, () => null),
      ),
    ).toEqual([]);
    if (!existsSync(dump)) return;
    for (const [index, bytes] of [one, other].entries()) {
      const place = path.join(folder, `${devices}-${index}.dcm`);
      writeFileSync(place, bytes);
      await run(dump, ['-q', '+E', place], { maxBuffer: 1 << 28 });
    }
  });
});
