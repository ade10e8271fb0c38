import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isColour } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { fullWindow, modalityOf, voisOf } from '../../dicom/grey.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { tags } from '../../dicom/tags.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { corpusFiles, corpusFolder, corpusIsThere } from './corpus.ts';
import { meansOfBlocks } from './means-of-blocks.ts';

const codecs = createCodecs();
const rows = new Map<string, { files: number; kinds: Set<string> }>();

/** Frames that are compared of each file: the first, one in the middle, the last. */
const framesOf = ({ numberOfFrames: count }: ImageDescription) => [...new Set([0, count >> 1, count - 1])];

const differences = (one: DecodedFrame['pixels'], other: DecodedFrame['pixels']) => {
  let count = Math.abs(one.length - other.length);
  for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) count++;
  return count;
};

/** Names and numbers of the patient as written in the file; shorter ones occur in any megabyte by chance. */
const patientWords = (bytes: Uint8Array): readonly string[] => {
  const { dataSet } = readDicomFile(bytes);
  return [tags.patientName, tags.patientId, tags.patientBirthDate].flatMap((tag) => {
    const found = dataSet.bytes(tag);
    const word = found
      ? Buffer.from(found)
          .toString('latin1')
          .replace(/[\0 ]+$/, '')
      : '';
    return word.length >= 5 ? [word] : [];
  });
};

const compareFrame = async (bytes: Uint8Array, description: ImageDescription, frame: number) => {
  const file = readDicomFile(bytes);
  const direct = await decodeFrame(description, encodedFrame(file, description, frame), codecs);
  for (const level of ['full', 'reduced'] as const) {
    for (const skipConversion of [true, false]) {
      const made = await makeRendition({ file, description }, { frame, level, skipConversion }, codecs);
      const rendition = readRendition(made.bytes);
      const decoded = await decodeRendition(rendition, codecs);
      const expected =
        rendition.level === 'full'
          ? direct
          : meansOfBlocks(direct, rendition.reduction, isColour(description) ? null : description.padding);
      expect(differences(decoded.pixels, expected.pixels), `${level} values`).toBe(0);
      expect({ ...decoded, pixels: null }).toEqual({ ...expected, pixels: null });

      const described = rendition.description;
      const own = description.frames?.[frame];
      expect(described).toEqual({
        ...description,
        modality: modalityOf(description, frame),
        windows: own?.windows ?? description.windows,
        spacing: own?.spacing ?? description.spacing,
        frames: null,
      });
      expect(voisOf(described, 0)).toEqual(voisOf(description, frame));
      expect(rendition.frame).toBe(frame + 1);
      if (rendition.range && !isColour(description)) {
        const full = fullWindow(modalityOf(description, frame), direct.pixels, description.padding);
        expect(rendition.range).toEqual({ low: full.centre - full.width / 2, high: full.centre + full.width / 2 });
      }
      const text = Buffer.from(made.bytes).toString('latin1');
      expect(patientWords(bytes).filter((word) => text.includes(word))).toEqual([]);
      const row = rows.get(description.transferSyntaxUid) ?? { files: 0, kinds: new Set() };
      row.kinds.add(`${rendition.level} ${rendition.kind}`);
      rows.set(description.transferSyntaxUid, { files: row.files + 1, kinds: row.kinds });
    }
  }
};

describe.skipIf(!corpusIsThere)('renditions of real files', () => {
  let compared = 0;

  it.each(corpusFiles().map((name) => [name] as const))('%s', async (name) => {
    const bytes = new Uint8Array(await readFile(path.join(corpusFolder, name)));
    let description: ImageDescription | null;
    try {
      const file = readDicomFile(bytes);
      description = describeImage(file);
      if (!description) return;
      await decodeFrame(description, encodedFrame(file, description, 0), codecs);
    } catch (problem) {
      // Files that cannot be shown are tested elsewhere.
      expect(problem).toBeInstanceOf(DicomProblem);
      return;
    }
    for (const frame of framesOf(description)) await compareFrame(bytes, description, frame);
    compared++;
  });

  afterAll(() => {
    expect(compared).toBeGreaterThanOrEqual(150);
    if (process.env.DENTARIUM_PRINT) for (const [syntax, row] of rows) console.log(syntax, row.files, [...row.kinds]);
  });
});

if (!corpusIsThere) console.log(`no corpus at ${corpusFolder}: no files to make renditions of`);
