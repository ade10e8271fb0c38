import { isFrameMarker, type JpegFrameHeader, jpegProblem, nextSegment, readFrameHeader } from './header.ts';
import { type HuffmanTable, readHuffmanTables } from './huffman.ts';
import { inverseDct } from './inverse-dct.ts';
import { type ComponentPlane, decodeScan, zigZag } from './scan.ts';
import { upsample } from './upsample.ts';

/** A decoded JPEG: components interleaved, no colour transform applied. */
export interface JpegImage {
  readonly rows: number;
  readonly columns: number;
  readonly components: number;
  /** 8 or 12 bits. */
  readonly precision: number;
  readonly samples: Uint8Array | Uint16Array;
}

interface Decoder {
  frame: JpegFrameHeader | null;
  planes: readonly ComponentPlane[];
  mcusWide: number;
  mcusHigh: number;
  restartInterval: number;
  readonly quantisation: Map<number, Uint16Array>;
  readonly huffman: Map<number, HuffmanTable>;
}

const MAX_PIXELS = 1 << 27;

const startFrame = (decoder: Decoder, frame: JpegFrameHeader): void => {
  if (decoder.frame) throw jpegProblem('there is more than one frame');
  if (frame.process > 0xc2) throw jpegProblem('the coding process is not a sequential or progressive Huffman one');
  if (frame.precision !== 8 && frame.precision !== 12) throw jpegProblem(`${frame.precision} bits per sample`);
  if (frame.rows * frame.columns > MAX_PIXELS) throw jpegProblem('the picture is too large');
  const maxHorizontal = Math.max(...frame.components.map(({ horizontal }) => horizontal));
  const maxVertical = Math.max(...frame.components.map(({ vertical }) => vertical));
  decoder.frame = frame;
  decoder.mcusWide = Math.ceil(frame.columns / (8 * maxHorizontal));
  decoder.mcusHigh = Math.ceil(frame.rows / (8 * maxVertical));
  decoder.planes = frame.components.map((component): ComponentPlane => {
    const storedWide = decoder.mcusWide * component.horizontal;
    return {
      ...component,
      blocksWide: Math.ceil(Math.ceil((frame.columns * component.horizontal) / maxHorizontal) / 8),
      blocksHigh: Math.ceil(Math.ceil((frame.rows * component.vertical) / maxVertical) / 8),
      storedWide,
      coefficients: new Int16Array(storedWide * decoder.mcusHigh * component.vertical * 64),
    };
  });
};

/** DQT, T.81 B.2.4.1. */
const readQuantisation = (decoder: Decoder, body: Uint8Array): void => {
  for (let at = 0; at < body.length; ) {
    const selector = body[at++] ?? 0;
    const wide = selector >> 4 > 0;
    const table = new Uint16Array(64);
    for (let k = 0; k < 64; k++) {
      table[zigZag[k] ?? 0] = wide ? ((body[at] ?? 0) << 8) | (body[at + 1] ?? 0) : (body[at] ?? 0);
      at += wide ? 2 : 1;
    }
    decoder.quantisation.set(selector & 15, table);
  }
};

const startScan = (decoder: Decoder, body: Uint8Array, bytes: Uint8Array, at: number): number => {
  if (!decoder.frame) throw jpegProblem('a scan comes before the frame header');
  const count = body[0] ?? 0;
  const components = Array.from({ length: count }, (_, index) => {
    const id = body[1 + index * 2];
    const selectors = body[2 + index * 2] ?? 0;
    const plane = decoder.planes.find((candidate) => candidate.id === id);
    if (!plane) throw jpegProblem('a scan names a component that is not there');
    const dc = decoder.huffman.get(selectors >> 4) ?? null;
    return { plane, dc, ac: decoder.huffman.get(0x10 | (selectors & 15)) ?? null };
  });
  const [spectralStart = 0, spectralEnd = 63, successive = 0] = body.subarray(1 + count * 2);
  return decodeScan(bytes, at, {
    components,
    progressive: decoder.frame.process === 0xc2,
    spectralStart,
    spectralEnd: Math.min(63, spectralEnd),
    successiveHigh: successive >> 4,
    successiveLow: successive & 15,
    restartInterval: decoder.restartInterval,
    mcusWide: decoder.mcusWide,
    mcusHigh: decoder.mcusHigh,
  });
};

/** Samples of one component at its own resolution, `storedWide * 8` to a row. */
const samplesOf = (decoder: Decoder, plane: ComponentPlane, precision: number): Uint16Array => {
  const table = decoder.quantisation.get(plane.quantisation);
  if (!table) throw jpegProblem('a quantisation table is missing');
  const stride = plane.storedWide * 8;
  const samples = new Uint16Array(plane.coefficients.length);
  const block = new Float64Array(64);
  const middle = 1 << (precision - 1);
  const largest = (1 << precision) - 1;
  for (let index = 0; index * 64 < plane.coefficients.length; index++) {
    for (let k = 0; k < 64; k++) block[k] = (plane.coefficients[index * 64 + k] ?? 0) * (table[k] ?? 0);
    inverseDct(block);
    const column = index % plane.storedWide;
    const first = ((index - column) / plane.storedWide) * 8 * stride + column * 8;
    for (let k = 0; k < 64; k++) {
      const value = Math.round((block[k] ?? 0) + middle);
      samples[first + (k >> 3) * stride + (k & 7)] = value < 0 ? 0 : Math.min(value, largest);
    }
  }
  return samples;
};

const assemble = (decoder: Decoder): JpegImage => {
  const { frame, planes } = decoder;
  if (!frame) throw jpegProblem('there is no frame header');
  const { rows, columns, precision } = frame;
  const count = planes.length;
  const samples = precision === 8 ? new Uint8Array(rows * columns * count) : new Uint16Array(rows * columns * count);
  const size = {
    rows,
    columns,
    maxHorizontal: Math.max(...planes.map(({ horizontal }) => horizontal)),
    maxVertical: Math.max(...planes.map(({ vertical }) => vertical)),
  };
  planes.forEach((plane, index) => {
    upsample(samplesOf(decoder, plane, precision), plane, size, samples, index, count);
  });
  return { rows, columns, components: count, precision, samples };
};

/**
 * Decodes JPEG with Huffman coding, 8 or 12 bits: baseline, extended sequential and progressive (T.81 processes 1, 2, 4
 * and the progressive ones; DICOM transfer syntaxes .50, .51, .53, .55).
 * @throws DicomProblem 'decode-failed'
 */
export const decodeJpeg = (bytes: Uint8Array): JpegImage => {
  const decoder: Decoder = {
    frame: null,
    planes: [],
    mcusWide: 0,
    mcusHigh: 0,
    restartInterval: 0,
    quantisation: new Map(),
    huffman: new Map(),
  };
  let scans = 0;
  for (let segment = nextSegment(bytes, 0); segment && segment.marker !== 0xd9; ) {
    const { marker, body } = segment;
    let end = segment.end;
    if (isFrameMarker(marker)) startFrame(decoder, readFrameHeader(marker, body));
    else if (marker === 0xdb) readQuantisation(decoder, body);
    else if (marker === 0xc4) readHuffmanTables(decoder.huffman, body);
    else if (marker === 0xdd) decoder.restartInterval = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
    else if (marker === 0xda) {
      end = startScan(decoder, body, bytes, end);
      scans++;
    }
    segment = nextSegment(bytes, end);
  }
  if (scans === 0) throw jpegProblem('there is no scan');
  return assemble(decoder);
};
