import type { Codecs } from '../../dicom/codecs.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import type { DecodedFrame, ImageDescription } from '../../dicom/image-model.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { encodeJpegLs } from './wasm-encoders.ts';

const unsupported = () => new DicomProblem('image-unsupported', 'JPEG-LS cannot hold the values of the image');

/** Bits of a sample in the codestream: all of them where values are signed, since JPEG-LS has no sign. */
const precisionOf = ({ bitsAllocated, bitsStored, signed }: ImageDescription): number =>
  signed ? bitsAllocated : bitsStored;

/** What a reader knows of the codestream: colour is RGB, as in decoded frames. */
const describedAs = (description: ImageDescription): ImageDescription => ({
  ...description,
  transferSyntaxUid: TRANSFER_SYNTAX.jpegLsLossless,
  planarConfiguration: 0,
  ...(description.samplesPerPixel === 3 && { photometricInterpretation: 'RGB' }),
});

const samplesOf = ({ pixels }: DecodedFrame, bytesPerSample: number): Uint8Array => {
  const samples = bytesPerSample === 1 ? Uint8Array.from(pixels) : Uint16Array.from(pixels);
  return new Uint8Array(samples.buffer);
};

/**
 * Encodes one frame as lossless JPEG-LS, and verifies every value by decoding it.
 * @throws DicomProblem as `decodeFrame`; 'image-unsupported' for values that JPEG-LS or the header of the image cannot hold exactly
 */
export const jpegLsFrame = async (
  description: ImageDescription,
  codestream: Uint8Array,
  codecs: Codecs,
): Promise<Uint8Array> => {
  const { bitsAllocated, bitsStored, highBit, sampleKind, rows, columns } = description;
  const isAtTheBottom = highBit === bitsStored - 1;
  if (sampleKind !== 'integer' || ![8, 16].includes(bitsAllocated) || bitsStored < 2 || !isAtTheBottom)
    throw unsupported();
  const frame = await decodeFrame(description, codestream, codecs);
  const bitsPerSample = precisionOf(description);
  const encoded = await encodeJpegLs(samplesOf(frame, bitsPerSample > 8 ? 2 : 1), {
    width: columns,
    height: rows,
    bitsPerSample,
    componentCount: frame.samples,
    isSigned: false,
    isUsingColorTransform: false,
  });
  const back = await decodeFrame(describedAs(description), encoded, codecs);
  const isSame =
    back.pixels.length === frame.pixels.length && back.pixels.every((value, index) => value === frame.pixels[index]);
  if (!isSame) throw unsupported();
  return encoded;
};
