import type { DicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { isAlwaysLossy, isVideo, pixelEncodingOf, transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { elementHeader, lengthOf } from '../../dicom/write/elements.ts';
import { plainElements } from '../../dicom/write/plain-elements.ts';
import type { StoredImaging } from './stored-imaging.ts';

/** The file of an object, whose data set may differ from the stored bytes in its patient and study. */
export interface ObjectToConvert {
  readonly sha256: string;
  readonly isImage: boolean;
  readonly file: DicomFile;
}

/** A data set in Explicit or Implicit VR Little Endian, without file meta information. */
export interface PlainObject {
  readonly sizeBytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Larger files are not converted. */
export const maxConvertedBytes = 1 << 28;

const iconImageSequence = 0x00880200;
const lossyImageCompression = 0x00282110;
const planarConfiguration = 0x00280006;
const text = (value: string): Uint8Array => Buffer.from(value.length % 2 === 0 ? value : `${value} `, 'latin1');

/** What decoded pixels make untrue of a compressed data set (PS3.5 8.2). */
const changesByDecoding = ({ dataSet, transferSyntaxUid }: DicomFile) => {
  const changes: Map<number, { readonly vr: string; readonly value: Uint8Array }> = new Map();
  if (dataSet.number(tags.samplesPerPixel, 'US') === 3) {
    changes.set(tags.photometricInterpretation, { vr: 'CS', value: text('RGB') });
    changes.set(planarConfiguration, { vr: 'US', value: Buffer.alloc(2) });
  }
  if (isAlwaysLossy(transferSyntaxUid)) changes.set(lossyImageCompression, { vr: 'CS', value: text('01') });
  return changes;
};

const ensureConvertible = (transferSyntaxUid: string): void => {
  if (
    isVideo(transferSyntaxUid) ||
    pixelEncodingOf(transferSyntaxUid) === 'unsupported' ||
    transferSyntaxUid === transferSyntaxes.explicitBigEndian
  )
    throw new DicomProblem('transfer-syntax-unsupported', 'the transfer syntax cannot be converted');
};

/** Decodes the frames of an object, one after another. */
const decodedPixels = async (
  imaging: Pick<StoredImaging, 'frame'>,
  { sha256, file }: ObjectToConvert,
  explicitVr: boolean,
): Promise<PlainObject> => {
  const frames = describeImage(file)?.numberOfFrames ?? 1;
  const frameAt = (frame: number) => imaging.frame(sha256, { frame, form: 'decoded' }, 'waited-for');
  const frameLength = (await frameAt(0)).length;
  const length = frameLength * frames;
  const padding = length % 2;
  if (length + padding >= 0xffffffff) throw new DicomProblem('too-large', 'the decoded pixels are too long');
  const vr = (file.dataSet.number(tags.bitsAllocated, 'US') ?? 8) > 8 ? 'OW' : 'OB';
  const header = elementHeader(tags.pixelData, vr, length + padding, { explicitVr, littleEndian: true }, 'Pixel data');
  return {
    sizeBytes: header.length + length + padding,
    open: async function* () {
      yield header;
      for (let frame = 0; frame < frames; frame += 1) {
        const next = await frameAt(frame);
        if (next.length !== frameLength) throw new DicomProblem('malformed', 'the frames are of different lengths');
        yield next;
      }
      if (padding > 0) yield new Uint8Array(padding);
    },
  };
};

const nativePixels = ({ dataSet }: DicomFile, explicitVr: boolean): Uint8Array[] => {
  const native = dataSet.elements.get(tags.pixelData);
  if (!native) return [];
  const value = dataSet.bytes(tags.pixelData) ?? new Uint8Array(0);
  const encoding = { explicitVr, littleEndian: true };
  return [elementHeader(tags.pixelData, native.vr ?? 'OW', value.length, encoding, 'Pixel data'), value];
};

/** Converts an object to Explicit or Implicit VR Little Endian, with decoded pixels. @throws DicomProblem */
export const plainObject = async (
  imaging: Pick<StoredImaging, 'frame'>,
  object: ObjectToConvert,
  explicitVr: boolean,
): Promise<PlainObject> => {
  const { file, isImage } = object;
  ensureConvertible(file.transferSyntaxUid);
  const isCompressed = isImage && !['native', 'deflated'].includes(pixelEncodingOf(file.transferSyntaxUid));
  const replaced = isCompressed ? changesByDecoding(file) : new Map();
  const removed = new Set(isCompressed ? [iconImageSequence] : []);
  const { before, after } = plainElements(file.dataSet, { explicitVr, replaced, removed });
  const decoded = isCompressed ? await decodedPixels(imaging, object, explicitVr) : null;
  const native = decoded ? [] : nativePixels(file, explicitVr);
  return {
    sizeBytes: lengthOf([...before, ...native, ...after]) + (decoded?.sizeBytes ?? 0),
    open: async function* () {
      yield* before;
      if (decoded) yield* decoded.open();
      yield* native;
      yield* after;
    },
  };
};
