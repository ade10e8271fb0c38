/** A picture decoded by a codec. */
export interface DecodedCodestream {
  readonly rows: number;
  readonly columns: number;
  readonly components: number;
  /** Bits per sample according to the codestream. */
  readonly precision: number;
  /** Little endian samples of one byte (precision up to 8) or two, components interleaved, row by row. */
  readonly bytes: Uint8Array;
}

export type Codec = (codestream: Uint8Array) => Promise<DecodedCodestream>;

/**
 * Decoders that are not in this folder. The server passes WebAssembly builds, the browser those of its worker.
 * A codec may reject with any error; `decodeFrame` turns it into a DicomProblem `decode-failed`.
 */
export interface Codecs {
  /**
   * 8-bit JPEG. Colour is converted from YCbCr to RGB by libjpeg's own rule; `decodeFrame` calls this only for grey images and where that rule
   * is right for the file.
   */
  readonly jpegBaseline: Codec;
  /** Components one after another when the scan is not interleaved, as CharLS leaves them. */
  readonly jpegLs: Codec;
  /** Inverse RCT and ICT applied; samples as two's complement when signed. */
  readonly jpeg2000: Codec;
  readonly htj2k: Codec;
  /** RGB, except that lossless samples keep their colour space. */
  readonly jpegXl: Codec;
}
