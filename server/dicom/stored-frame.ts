import type { Codecs } from '../../dicom/codecs.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import type { DecodedFrame } from '../../dicom/image-model.ts';
import { pixelEncodingOf } from '../../dicom/transfer-syntax.ts';
import { jpegLsFrame } from './jpeg-ls-frame.ts';
import { frameOf } from './make-rendition.ts';
import type { OpenedFile } from './opened-file.ts';

export interface FrameOptions {
  /** Frame index, from 0. */
  readonly frame: number;
  /**
   * `stored`: its codestream, or native samples in little endian order. `decoded`: samples of Bits Allocated, little endian. `jpeg-ls`: encoded
   * without loss.
   */
  readonly form: 'stored' | 'decoded' | 'jpeg-ls';
}

/** Decoded values of few bits may be in fewer bytes than the header allocates. */
const widened = ({ pixels }: DecodedFrame, bitsAllocated: number): Uint8Array => {
  const isWide = pixels.BYTES_PER_ELEMENT * 8 >= bitsAllocated;
  const samples = isWide ? pixels : bitsAllocated === 16 ? Int16Array.from(pixels) : Int32Array.from(pixels);
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
};

/** Returns the bytes of one frame. @throws DicomProblem, such as 'no-such-frame'; 'image-unsupported' when JPEG-LS cannot hold it */
export const frameBytes = async (
  opened: OpenedFile,
  { frame, form }: FrameOptions,
  codecs: Codecs,
): Promise<Uint8Array> => {
  const { description, codestream } = frameOf(opened, frame);
  if (form === 'jpeg-ls') return jpegLsFrame(description, codestream, codecs);
  // A copy, since the bytes leave the thread and the file may be cached in it; `slice` of a Buffer makes none.
  if (form === 'stored' || pixelEncodingOf(description.transferSyntaxUid) === 'native')
    return new Uint8Array(codestream);
  return widened(await decodeFrame(description, codestream, codecs), description.bitsAllocated).slice();
};
