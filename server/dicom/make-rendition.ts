import type { Codecs } from '../../dicom/codecs.ts';
import { isColour } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { fullWindow } from '../../dicom/grey.ts';
import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';
import { readJpegHeader } from '../../dicom/jpeg/header.ts';
import { overlayPlanesOf } from '../../dicom/overlay-planes.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { reduced, reductionFor } from '../../dicom/rendition/reduce.ts';
import { descriptionOfFrame, type Rendition, type RenditionLevel, storedAs } from '../../dicom/rendition/rendition.ts';
import { writeRendition } from '../../dicom/rendition/write-rendition.ts';
import { codedValues } from '../../dicom/stored-values.ts';
import { pixelEncodingOf, transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { frameInSrgb, srgbConversion } from './colour-profile.ts';
import type { OpenedFile } from './opened-file.ts';
import { packValues } from './pack-values.ts';

export interface RenditionOptions {
  /** Frame index, from 0. */
  readonly frame: number;
  readonly level: RenditionLevel;
  /** Returns the codestream of a slow syntax unconverted, so that the caller does not wait. */
  readonly skipConversion: boolean;
}

export interface MadeRendition {
  readonly bytes: Uint8Array;
  /** Level of the result: a small picture has no reduced one. */
  readonly level: RenditionLevel;
  /** `cache`: slow to make. `copy`: a cheap copy of what the file holds. `unfinished`: conversion would make it faster. */
  readonly worth: 'cache' | 'copy' | 'unfinished';
}

/** Eight bits, sequential or progressive: supported by the fast decoder (T.81 table B.1). */
const isPlainJpeg = (codestream: Uint8Array): boolean => {
  const { frame } = readJpegHeader(codestream);
  return frame.precision === 8 && frame.process <= 0xc2;
};

/** Returns whether decoding the file's bytes is as fast as decoding any conversion. */
export const isFast = ({ transferSyntaxUid }: ImageDescription, codestream: Uint8Array): boolean => {
  switch (pixelEncodingOf(transferSyntaxUid)) {
    case 'native':
      return (
        transferSyntaxUid !== transferSyntaxes.deflatedLittleEndian &&
        transferSyntaxUid !== transferSyntaxes.explicitBigEndian
      );
    case 'rle':
    case 'htj2k':
      return true;
    case 'jpeg-baseline':
    case 'jpeg-extended':
    case 'jpeg-lossless':
      return isPlainJpeg(codestream);
    default:
      return false;
  }
};

const rangeOf = (description: ImageDescription, decoded: DecodedFrame): Rendition['range'] => {
  if (isColour(description)) return { low: 0, high: 255 };
  const { centre, width } = fullWindow(description.modality, codedValues(decoded), description.padding);
  return { low: centre - width / 2, high: centre + width / 2 };
};

/** Returns the encoded bytes and description of one frame. */
export const frameOf = ({ file, description }: OpenedFile, frame: number) => {
  if (pixelEncodingOf(description.transferSyntaxUid) === 'unsupported') {
    throw new DicomProblem('transfer-syntax-unsupported', `${description.transferSyntaxUid} is not supported`);
  }
  return { description: descriptionOfFrame(description, frame), codestream: encodedFrame(file, description, frame) };
};

/** What a rendition says of its frame at every level. */
type FrameFacts = Pick<Rendition, 'frame' | 'description' | 'overlayPlanes'>;

/** Returns the full rendition of a decoded frame. */
const convertedRendition = async (facts: FrameFacts, decoded: DecodedFrame, codecs: Codecs): Promise<Uint8Array> => {
  const range = rangeOf(facts.description, decoded);
  const packed = await packValues(facts.description, decoded, codecs);
  return writeRendition({ ...facts, level: 'full', reduction: 1, range, coded: decoded.coded ?? null, ...packed });
};

/** Returns the reduced rendition of a decoded frame, whose reduction is 2 or more. */
const reducedRendition = async (facts: FrameFacts, decoded: DecodedFrame, codecs: Codecs): Promise<Uint8Array> => {
  const { description } = facts;
  const reduction = reductionFor(description);
  const range = rangeOf(description, decoded);
  const padding = isColour(description) ? null : description.padding;
  const packed = await packValues(description, reduced(decoded, reduction, padding), codecs);
  const coded = decoded.coded ?? null;
  return writeRendition({ ...facts, level: 'reduced', reduction, range, coded, ...packed });
};

/**
 * Returns one frame of an opened file in the viewer's format.
 * @throws DicomProblem 'no-such-frame', 'transfer-syntax-unsupported', and as decoding does
 */
export const makeRendition = async (
  opened: OpenedFile,
  { frame, level, skipConversion }: RenditionOptions,
  codecs: Codecs,
): Promise<MadeRendition> => {
  const { description, codestream } = frameOf(opened, frame);
  const overlayPlanes = overlayPlanesOf(opened.file, opened.description, frame, codestream);
  const facts: FrameFacts = { frame: frame + 1, description, overlayPlanes };
  const conversion = await srgbConversion(opened);
  const decode = async () => frameInSrgb(await decodeFrame(description, codestream, codecs), conversion);
  if (level === 'reduced' && reductionFor(description) > 1) {
    const bytes = await reducedRendition(facts, await decode(), codecs);
    return { bytes, level, worth: 'cache' };
  }
  const fast = isFast(description, codestream);
  // The viewer expects sRGB: without the conversion it would show wrong colours until the next opening.
  if (conversion || (!fast && !skipConversion)) {
    const bytes = await convertedRendition(facts, await decode(), codecs);
    return { bytes, level: 'full', worth: 'cache' };
  }
  const stored = storedAs(description);
  const as = { kind: 'original', level: 'full', reduction: 1, range: null, coded: null } as const;
  const bytes = writeRendition({ ...facts, ...as, stored, payload: codestream });
  return { bytes, level: 'full', worth: fast ? 'copy' : 'unfinished' };
};
