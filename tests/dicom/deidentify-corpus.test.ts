import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { cleanedSamples } from '../../dicom/deidentify/clean-samples.ts';
import { cleanedFragments } from '../../dicom/deidentify/cleaned-fragments.ts';
import { deidentify } from '../../dicom/deidentify/deidentify.ts';
import { type DicomFile, readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { bytesOf } from './build-dicom.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from './corpus.ts';

const codecs = createCodecs();

async function* from(bytes: Uint8Array, offset: number) {
  yield bytes.subarray(offset);
}

const copyOf = async (file: DicomFile): Promise<DicomFile> => {
  const { bytes } = file.dataSet.source;
  const { start, pixels, description } = deidentify(file, { pseudonym: 'ANON001', replaceUid: () => '2.25.1' });
  const { offset, lengthBytes } = pixels;
  const parts = [start];
  const end = lengthBytes === null ? bytes.length : offset + lengthBytes;
  const source = from(bytes.subarray(0, end), offset);
  const cleaned = lengthBytes === null ? cleanedFragments(source, description) : cleanedSamples(source, description);
  for await (const part of cleaned) parts.push(part);
  parts.push(new Uint8Array((lengthBytes ?? 0) % 2));
  return readDicomFile(bytesOf(...parts));
};

const decoded = async (file: DicomFile) => {
  const description = describeImage(file);
  if (!description) throw new DicomProblem('no-pixel-data', 'no image');
  return decodeFrame(description, encodedFrame(file, description, 0), codecs);
};

/** Files whose first frame can be decoded. */
const images = corpusFiles().filter((name) => !name.startsWith('bad-input/'));
/** Their pixels cannot be checked for text, or they have no SOP Class UID. */
const rejected = /TextGBR|MAROTECH|decimal_rescale|JLSL_RGB_ILV/;

describe.skipIf(!corpusIsThere)('copies of real files', () => {
  it.each(images)('%s has the same pixels and grey values, and nobody named', async (name) => {
    const read = () => readDicomFile(corpusBytes(name));
    const before = await Promise.resolve()
      .then(() => decoded(read()))
      .catch(() => null);
    if (before === null) return;
    const file = read();
    if (rejected.test(name)) {
      await expect(copyOf(file)).rejects.toThrow(DicomProblem);
      return;
    }
    const copy = await copyOf(file);
    expect(Buffer.from((await decoded(copy)).pixels.buffer).equals(Buffer.from(before.pixels.buffer))).toBe(true);
    const meaning = (of: DicomFile) => {
      const { modality, spacing, windows = [], palette, padding } = describeImage(of) ?? {};
      return { modality, spacing, palette, padding, windows: windows.map(({ centre, width }) => [centre, width]) };
    };
    expect(meaning(copy)).toEqual(meaning(file));
    expect(summarise(copy).patient).toMatchObject({ id: 'ANON001', name: 'ANON001', birthDate: null, comments: null });
  });
});
