import { describe, expect, it } from 'vitest';
import { renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { checkComplete, checkFrames, encodedFrame } from '../../dicom/frames.ts';
import { summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import {
  bytesOf,
  element,
  encapsulated,
  item,
  openItem,
  openSequence,
  part10,
  pictureHeader,
  us,
  words,
} from './build-dicom.ts';
import { encodeLossless, encodeSequential } from './encode-jpeg.ts';

const codecs = createCodecs();
const rows = 16;
const columns = 16;
const samples = Array.from({ length: rows * columns }, (_, index) => (index * 13) % 4096);
const raster = { rows, columns, components: 1, precision: 12, samples };

const lut = element(
  0x00283010,
  'SQ',
  item(bytesOf(us(0x00283002, [4, 0, 12]), element(0x00283006, 'OW', words([0, 9, 99, 999])))),
);
const groups = openSequence(0x52009230, [
  openItem(element(0x00289145, 'SQ', item(bytesOf(element(0x00281052, 'DS', '1'), element(0x00281053, 'DS', '2'))))),
]);
const header = bytesOf(
  openSequence(0x00082228, [openItem(element(0x00080100, 'SH', 'T-54210'))]),
  element(0x00100010, 'PN', 'A^B'),
  pictureHeader({ rows, columns, bits: 16, stored: 12, more: lut }),
  groups,
);

const sources: readonly (readonly [string, Uint8Array])[] = [
  ['native', part10(bytesOf(header, element(0x7fe00010, 'OW', words(samples))))],
  ['lossless JPEG', part10(bytesOf(header, encapsulated([], [encodeLossless(raster, 4)])), '1.2.840.10008.1.2.4.70')],
  ['12-bit JPEG', part10(bytesOf(header, encapsulated([], [encodeSequential(raster, 4)])), '1.2.840.10008.1.2.4.51')],
];

const showAll = async (bytes: Uint8Array): Promise<void> => {
  const file = readDicomFile(bytes);
  summarise(file);
  checkComplete(file);
  const description = describeImage(file);
  if (!description) return;
  checkFrames(file, description);
  const frame = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  if (frame.pixels.length < 1e6) renderRgba(description, frame, 0);
};

/** Returns the problem codes, or 'shown' where the damaged file could still be shown. Any error but a DicomProblem fails the test. */
const outcomeOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await showAll(bytes);
    return 'shown';
  } catch (problem) {
    if (problem instanceof DicomProblem) return problem.code;
    throw problem;
  }
};

describe.each(sources)('a damaged file, %s,', (_, whole) => {
  it('is valid before it is damaged', async () => {
    expect(await outcomeOf(whole)).toBe('shown');
  });

  it('throws a known problem when truncated anywhere', async () => {
    const outcomes = new Set<string>();
    for (let length = 0; length < whole.length; length += 7) outcomes.add(await outcomeOf(whole.slice(0, length)));
    expect([...outcomes]).toContain('truncated');
    expect([...outcomes]).toContain('pixel-data-short');
  });

  it('is shown or throws a known problem with any bytes changed', async () => {
    let state = 42;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const outcomes = new Set<string>();
    for (let run = 0; run < 1500; run++) {
      const bytes = whole.slice();
      for (let change = random(8); change >= 0; change--)
        bytes[132 + random(bytes.length - 132)] = [0, 255, random(256)][random(3)] ?? 0;
      outcomes.add(await outcomeOf(bytes));
    }
    expect(outcomes.size).toBeGreaterThan(3);
  });
});
