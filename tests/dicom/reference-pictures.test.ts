import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { fullWindow, isInverted, modalityOf, renderGrey, voisOf } from '../../dicom/grey.ts';
import { describeImage } from '../../dicom/image-description.ts';
import type { DecodedFrame, ImageDescription, Voi } from '../../dicom/image-model.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import {
  corpusBytes,
  corpusFolder,
  corpusIsThere,
  type ReferencePicture,
  referenceExceptions,
  referencePath,
  referencePictures,
} from './corpus.ts';

const codecs = createCodecs();

/** Largest difference from the reference that is mere rounding, in levels of 255. */
const limitOf = ({ lossy }: ImageDescription): number => (lossy ? 3 : 2);

/** The VOI of the reference renderer. */
const voiOf = (mode: string, description: ImageDescription, index: number, frame: DecodedFrame): Voi => {
  const full = fullWindow(modalityOf(description, index), frame.pixels);
  if (mode === 'minmax') return full;
  if (mode === 'raw-decode') return { ...full, centre: 127.5, width: 255 };
  if (mode === 'voilut') return description.voiLuts[0] ?? full;
  return voisOf(description, index).find(({ kind }) => kind === 'window') ?? full;
};

const compare = async ({ file, frame, mode }: ReferencePicture) => {
  const dicom = readDicomFile(corpusBytes(file));
  const description = describeImage(dicom);
  if (!description) throw new Error('no picture');
  const index = frame - 1;
  const decoded = await decodeFrame(description, encodedFrame(dicom, description, index), codecs);
  const voi = voiOf(mode, description, index, decoded);
  const display = { modality: modalityOf(description, index), voi, inverted: isInverted(description) };
  const colour = mode === 'color';
  const ours = colour ? renderRgba(description, decoded, index) : renderGrey(decoded, display);
  const reference = sharp(referencePath({ file, frame, mode })).removeAlpha();
  const { data, info } = await reference.raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([description.columns, description.rows]);
  let [largest, beyond] = [0, 0];
  for (let pixel = 0; pixel < description.rows * description.columns; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      const one = ours[colour ? pixel * 4 + channel : pixel] ?? -999;
      const other = data[pixel * info.channels + (info.channels < 3 ? 0 : channel)] ?? -999;
      const difference = Math.abs(one - other);
      largest = Math.max(largest, difference);
      if (difference > limitOf(description)) beyond += 1;
    }
  }
  // A grey pixel has three equal channels.
  return { largest, points: colour ? beyond : beyond / 3 };
};

describe.skipIf(!corpusIsThere)('pictures beside those of other decoders', () => {
  it('has the whole corpus', () => {
    expect(referencePictures().length).toBeGreaterThanOrEqual(150);
  });

  it.each(referencePictures().map((row) => [`${row.file} frame ${row.frame} ${row.mode}`, row] as const))(
    '%s',
    async (name, row) => {
      const { largest, points } = await compare(row);
      if (largest > 1) console.log(`differs by ${largest}: ${name}`);
      expect(points).toBeLessThanOrEqual(referenceExceptions[name]?.points ?? 0);
    },
  );

  it.each(['jpeg-extended-12/RG3_JPLY', 'j2k-lossy/RG3_J2KI'])(
    '%s has no point that is far from the lossless copy of the same picture',
    async (file) => {
      const valuesOf = async (name: string) => {
        const dicom = readDicomFile(corpusBytes(name));
        const description = describeImage(dicom);
        if (!description) throw new Error('no picture');
        return (await decodeFrame(description, encodedFrame(dicom, description, 0), codecs)).pixels;
      };
      const [lossy, lossless] = await Promise.all([valuesOf(file), valuesOf('j2k-lossless/RG3_J2KR')]);
      const largest = Array.from(lossless).reduce(
        (most, value, at) => Math.max(most, Math.abs(value - (lossy[at] ?? 0))),
        0,
      );
      expect(largest).toBeLessThan(64);
    },
  );
});

if (!corpusIsThere) console.log(`no corpus at ${corpusFolder}: pictures are not compared with those of other decoders`);
