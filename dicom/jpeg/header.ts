import { DicomProblem } from '../problem.ts';

/** One colour component of a JPEG frame (ITU-T T.81 B.2.2). */
export interface JpegComponent {
  readonly id: number;
  readonly horizontal: number;
  readonly vertical: number;
  readonly quantisation: number;
}

export interface JpegFrameHeader {
  /** Low byte of the SOF marker: 0xc0 baseline, 0xc1 extended, 0xc2 progressive, 0xc3 lossless. */
  readonly process: number;
  readonly precision: number;
  readonly rows: number;
  readonly columns: number;
  readonly components: readonly JpegComponent[];
}

/** Colour information of the markers before the first scan. */
export interface JpegHeader {
  readonly frame: JpegFrameHeader;
  readonly jfif: boolean;
  /** Colour transform of the Adobe marker; null without one. */
  readonly adobeTransform: number | null;
}

export const jpegProblem = (detail: string) => new DicomProblem('decode-failed', `JPEG: ${detail}`);

export const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The body of a SOF segment. @throws DicomProblem 'decode-failed' */
export const readFrameHeader = (process: number, body: Uint8Array): JpegFrameHeader => {
  const [precision = 0, rowsHigh = 0, rowsLow = 0, columnsHigh = 0, columnsLow = 0, count = 0] = body;
  if (body.length < 6 + count * 3) throw jpegProblem('the frame header is cut off');
  const components = Array.from({ length: count }, (_, index): JpegComponent => {
    const [id = 0, sampling = 0, quantisation = 0] = body.subarray(6 + index * 3);
    return { id, horizontal: sampling >> 4, vertical: sampling & 15, quantisation };
  });
  const odd = components.some(({ horizontal: h, vertical: v }) => h < 1 || h > 4 || v < 1 || v > 4);
  const rows = (rowsHigh << 8) | rowsLow;
  const columns = (columnsHigh << 8) | columnsLow;
  if (odd || count < 1 || rows < 1 || columns < 1) throw jpegProblem('the frame header makes no sense');
  return { process, precision, rows, columns, components };
};

export interface JpegSegment {
  readonly marker: number;
  readonly body: Uint8Array;
  /** Just behind the segment. */
  readonly end: number;
}

/** The marker segment at or behind `at`; null at the end of the bytes. */
export const nextSegment = (bytes: Uint8Array, at: number): JpegSegment | null => {
  let place = at;
  while (place + 1 < bytes.length) {
    const marker = bytes[place + 1] ?? 0;
    if (bytes[place] !== 0xff || marker === 0 || marker === 0xff) {
      place++;
      continue;
    }
    if (marker === 0xd8 || marker === 0xd9 || marker === 1 || (marker >= 0xd0 && marker <= 0xd7)) {
      return { marker, body: bytes.subarray(place + 2, place + 2), end: place + 2 };
    }
    const length = ((bytes[place + 2] ?? 0) << 8) | (bytes[place + 3] ?? 0);
    if (length < 2 || place + 2 + length > bytes.length) return null;
    return { marker, body: bytes.subarray(place + 4, place + 2 + length), end: place + 2 + length };
  }
  return null;
};

/** Reads the markers up to the first scan. @throws DicomProblem 'decode-failed' when there is no frame header */
export const readJpegHeader = (bytes: Uint8Array): JpegHeader => {
  let jfif = false;
  let adobeTransform: number | null = null;
  let frame: JpegFrameHeader | null = null;
  for (
    let segment = nextSegment(bytes, 0);
    segment && segment.marker !== 0xda;
    segment = nextSegment(bytes, segment.end)
  ) {
    const { marker, body } = segment;
    const name = String.fromCharCode(...body.subarray(0, 5));
    if (marker === 0xe0 && name.startsWith('JFIF')) jfif = true;
    if (marker === 0xee && name === 'Adobe') adobeTransform = body[11] ?? null;
    if (isFrameMarker(marker)) frame = readFrameHeader(marker, body);
  }
  if (!frame) throw jpegProblem('there is no frame header');
  return { frame, jfif, adobeTransform };
};
