import { isFrameMarker, type JpegFrameHeader, jpegProblem, nextSegment, readFrameHeader } from './header.ts';
import { BitReader, type HuffmanTable, readHuffmanTables } from './huffman.ts';

/** A decoded lossless JPEG: components interleaved, no colour transform applied. */
export interface LosslessImage {
  readonly rows: number;
  readonly columns: number;
  readonly components: number;
  /** 2 to 16 bits. */
  readonly precision: number;
  readonly samples: Uint8Array | Uint16Array;
}

interface LosslessScan {
  readonly tables: readonly HuffmanTable[];
  /** Selection value 1 to 7 (T.81 table H.1). */
  readonly predictor: number;
  readonly pointTransform: number;
  readonly restartInterval: number;
}

const MAX_PIXELS = 1 << 28;

/** Neighbours: a left, b above, c above left (T.81 table H.1). */
const predict = (predictor: number, a: number, b: number, c: number): number => {
  switch (predictor) {
    case 1:
      return a;
    case 2:
      return b;
    case 3:
      return c;
    case 4:
      return a + b - c;
    case 5:
      return a + ((b - c) >> 1);
    case 6:
      return b + ((a - c) >> 1);
    default:
      return (a + b) >> 1;
  }
};

/** Differences of 16 bits need no further bits: they are 32768 (T.81 H.1.2.2). */
const difference = (reader: BitReader, table: HuffmanTable): number => {
  const size = reader.symbol(table);
  if (size > 16) throw jpegProblem('a difference is larger than 16 bits');
  return size === 16 ? 32768 : reader.signed(size);
};

const decodeSamples = (
  reader: BitReader,
  frame: JpegFrameHeader,
  scan: LosslessScan,
  out: Uint8Array | Uint16Array,
): void => {
  const { tables, predictor, pointTransform, restartInterval } = scan;
  const count = tables.length;
  const stride = frame.columns * count;
  const first = 1 << (frame.precision - pointTransform - 1);
  // The row in which prediction was last reset: the first one, and any after a restart marker.
  let originRow = 0;
  for (let row = 0, at = 0, mcu = 0; row < frame.rows; row++) {
    for (let column = 0; column < frame.columns; column++, mcu++) {
      if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0) {
        if (!reader.restart()) throw jpegProblem('a restart marker is missing');
        if (column > 0) throw jpegProblem('a restart marker stands inside a row');
        originRow = row;
      }
      for (let component = 0; component < count; component++, at++) {
        const table = tables[component];
        if (!table) throw jpegProblem('a scan names a Huffman table that is not there');
        let prediction: number;
        if (row === originRow) prediction = column === 0 ? first : (out[at - count] ?? 0);
        else if (column === 0) prediction = out[at - stride] ?? 0;
        else {
          prediction = predict(predictor, out[at - count] ?? 0, out[at - stride] ?? 0, out[at - stride - count] ?? 0);
        }
        out[at] = (prediction + difference(reader, table)) & 0xffff;
      }
    }
  }
  if (pointTransform > 0) for (let at = 0; at < out.length; at++) out[at] = (out[at] ?? 0) << pointTransform;
};

/**
 * Decodes lossless Huffman JPEG, all predictors, 2 to 16 bits (T.81 process 14; DICOM .57 and .70).
 * @throws DicomProblem 'decode-failed'
 */
export const decodeLosslessJpeg = (bytes: Uint8Array): LosslessImage => {
  const huffman = new Map<number, HuffmanTable>();
  let frame: JpegFrameHeader | null = null;
  let restartInterval = 0;
  for (let segment = nextSegment(bytes, 0); segment; segment = nextSegment(bytes, segment.end)) {
    const { marker, body, end } = segment;
    if (isFrameMarker(marker)) frame = readFrameHeader(marker, body);
    else if (marker === 0xc4) readHuffmanTables(huffman, body);
    else if (marker === 0xdd) restartInterval = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
    else if (marker === 0xda) {
      if (frame?.process !== 0xc3) throw jpegProblem('the picture is not a lossless one');
      const components = frame.components.length;
      const { rows, columns, precision } = frame;
      if (precision < 2 || precision > 16) throw jpegProblem(`${precision} bits per sample`);
      if (rows * columns * components > MAX_PIXELS) throw jpegProblem('the picture is too large');
      if (body[0] !== components) throw jpegProblem('components in scans of their own are not supported');
      const tables = frame.components.map((_, index) => {
        const table = huffman.get((body[2 + index * 2] ?? 0) >> 4);
        if (!table) throw jpegProblem('a scan names a Huffman table that is not there');
        return table;
      });
      const [predictor = 1, , successive = 0] = body.subarray(1 + components * 2);
      if (predictor < 1 || predictor > 7) throw jpegProblem('the predictor is none of 1 to 7');
      const pointTransform = successive & 15;
      if (pointTransform >= precision) throw jpegProblem('the point transform makes no sense');
      const length = rows * columns * components;
      const samples = precision > 8 ? new Uint16Array(length) : new Uint8Array(length);
      decodeSamples(new BitReader(bytes, end), frame, { tables, predictor, pointTransform, restartInterval }, samples);
      return { rows, columns, components, precision, samples };
    }
  }
  throw jpegProblem('there is no scan');
};
