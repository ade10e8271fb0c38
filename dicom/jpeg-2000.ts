/** What is needed of a JPEG 2000 main header (ITU-T T.800 annex A), also of HTJ2K (T.814). */
export interface Jpeg2000Header {
  readonly rows: number;
  readonly columns: number;
  readonly components: number;
  /** Of the first component's samples (SIZ, A.5.1). */
  readonly signed: boolean;
  /** Number of decomposition levels (COD, A.6.1). */
  readonly levels: number;
  /** Uses the 5-3 transform, which is lossless unless layers are omitted. */
  readonly reversible: boolean;
  /** Uses RCT or ICT, which decoders invert. */
  readonly multipleComponentTransform: boolean;
}

const SOC_SIZ = [0xff, 0x4f, 0xff, 0x51];

/** Returns the codestream: some writers store a whole JP2 file with boxes instead. */
export const codestreamOf = (bytes: Uint8Array): Uint8Array => {
  if (SOC_SIZ.every((byte, index) => bytes[index] === byte)) return bytes;
  for (let at = 0; at + 4 <= bytes.length; at++) {
    if (SOC_SIZ.every((byte, index) => bytes[at + index] === byte)) return bytes.subarray(at);
  }
  return bytes;
};

/** Reads SIZ and COD; null when the bytes are not a codestream. */
export const readJpeg2000Header = (codestream: Uint8Array): Jpeg2000Header | null => {
  if (!SOC_SIZ.every((byte, index) => codestream[index] === byte) || codestream.length < 42) return null;
  const view = new DataView(codestream.buffer, codestream.byteOffset, codestream.byteLength);
  const columns = view.getUint32(8) - view.getUint32(16);
  const rows = view.getUint32(12) - view.getUint32(20);
  const components = view.getUint16(40);
  const signed = codestream.length > 42 && view.getUint8(42) >= 128;
  let [multipleComponentTransform, levels, reversible] = [false, 0, true];
  for (let at = 2; at + 9 < codestream.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === 0xff52) {
      multipleComponentTransform = codestream[at + 8] === 1;
      levels = codestream[at + 9] ?? 0;
      reversible = codestream[at + 13] === 1;
    }
    if (marker === 0xff90 || marker < 0xff00) break;
  }
  return { rows, columns, components, signed, levels, reversible, multipleComponentTransform };
};
