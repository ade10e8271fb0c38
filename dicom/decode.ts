import type { Codecs, DecodedCodestream } from './codecs.ts';
import { expand422, interleavePlanes, ybrFullToRgb } from './colour-conversion.ts';
import { frameBits } from './frames.ts';
import type { CodedSize, DecodedFrame, ImageDescription } from './image-model.ts';
import { inflated } from './inflate.ts';
import { decodeJpeg } from './jpeg/decode-jpeg.ts';
import { decodeLosslessJpeg } from './jpeg/decode-lossless.ts';
import { type JpegHeader, nextSegment, readJpegHeader } from './jpeg/header.ts';
import { codestreamOf, readJpeg2000Header } from './jpeg-2000.ts';
import { readJpegXlSize } from './jpeg-xl.ts';
import { DicomProblem } from './problem.ts';
import { decodeRle } from './rle.ts';
import {
  aligned,
  clampedValues,
  codecLayout,
  nativeLayout,
  resized,
  storedValues,
  unpackBits,
} from './stored-values.ts';
import { isAlwaysLossy, mayBeLossy, pixelEncodingOf } from './transfer-syntax.ts';

/** Maximum size of one decoded frame; a header that claims more is rejected before any allocation. */
const MAX_FRAME_BYTES = 2 ** 29;

/** Above this size the compression ratio must be plausible: a codestream of a few bytes may claim any size. */
const HARMLESS_FRAME_BYTES = 2 ** 26;
const MAX_RATIO = 400;

/** Samples of a frame, interleaved, and their colour space. */
interface Samples {
  /** Size of the codestream; that of the header when left out. */
  readonly coded?: CodedSize;
  readonly pixels: DecodedFrame['pixels'];
  readonly bits: number;
  readonly colour: 'as described' | 'rgb' | 'ybr full';
}

const pixelsOf = ({ rows, columns }: ImageDescription) => rows * columns;

/**
 * Checks that a frame is small enough to be decoded. `packedBytes`: size of its codestream, when it is compressed.
 * @throws DicomProblem 'too-large'
 */
export const checkFrameSize = (description: ImageDescription, packedBytes?: number): void => {
  const bytes = pixelsOf(description) * description.samplesPerPixel * Math.ceil(description.bitsAllocated / 8);
  const isBomb = packedBytes !== undefined && bytes > HARMLESS_FRAME_BYTES && bytes > packedBytes * MAX_RATIO;
  if (bytes > MAX_FRAME_BYTES || isBomb) {
    throw new DicomProblem(
      'too-large',
      `a frame of ${description.columns} x ${description.rows} is too large to decode`,
    );
  }
};

const nativeSamples = (description: ImageDescription, bytes: Uint8Array): Samples => {
  const { rows, columns, samplesPerPixel, sampleKind, bitsAllocated, bitsStored, photometricInterpretation } =
    description;
  const count = rows * columns * samplesPerPixel;
  const needed = Math.ceil(frameBits(description) / 8);
  if (bytes.length < needed) {
    throw new DicomProblem('pixel-data-short', `the frame needs ${needed} bytes, ${bytes.length} are there`);
  }
  if (sampleKind !== 'integer') {
    const copy = aligned(bytes, needed);
    return {
      pixels: sampleKind === 'float32' ? new Float32Array(copy) : new Float64Array(copy),
      bits: bitsStored,
      colour: 'as described',
    };
  }
  if (bitsAllocated === 1) return { pixels: unpackBits(bytes, count), bits: 1, colour: 'as described' };
  if (photometricInterpretation === 'YBR_FULL_422' && bitsAllocated === 8) {
    return { pixels: expand422(bytes, rows, columns), bits: 8, colour: 'ybr full' };
  }
  const layout = { ...nativeLayout(description), signed: samplesPerPixel === 1 && description.signed };
  const pixels = storedValues(bytes, count, layout);
  const planar = samplesPerPixel === 3 && description.planarConfiguration === 1;
  return {
    pixels: planar ? interleavePlanes(pixels as Uint8Array, rows * columns) : pixels,
    bits: bitsStored,
    colour: 'as described',
  };
};

const rleSamples = (description: ImageDescription, bytes: Uint8Array): Samples => {
  // 1-bit samples are packed into bytes before they are compressed (PS3.5 8.2.2).
  if (description.bitsAllocated === 1)
    return nativeSamples(description, decodeRle(bytes, Math.ceil(frameBits(description) / 8), 1, 1));
  const bytesPerSample = description.bitsAllocated / 8;
  const plain = decodeRle(bytes, pixelsOf(description), description.samplesPerPixel, bytesPerSample);
  const photometricInterpretation =
    description.photometricInterpretation === 'YBR_FULL_422' ? 'YBR_FULL' : description.photometricInterpretation;
  return nativeSamples({ ...description, photometricInterpretation, planarConfiguration: 0 }, plain);
};

/** Returns the description of a codestream, which may be smaller than its header says. @throws DicomProblem 'decode-failed' when it is larger */
const describedAsCoded = (
  description: ImageDescription,
  coded: { readonly rows: number; readonly columns: number; readonly components: number },
): ImageDescription => {
  const { rows, columns, samplesPerPixel } = description;
  if (coded.rows > rows || coded.columns > columns || coded.components !== samplesPerPixel) {
    throw new DicomProblem(
      'decode-failed',
      `the codestream is ${coded.columns} x ${coded.rows} x ${coded.components}, ` +
        `the header has ${columns} x ${rows} x ${samplesPerPixel}`,
    );
  }
  return { ...description, rows: coded.rows, columns: coded.columns };
};

/** A decoded codestream: its colour space, and of a lossy one whether its samples are signed. */
interface Codestream {
  readonly colour: Samples['colour'];
  readonly lossy: { readonly signed: boolean } | null;
}

const unsignedLossy = { signed: false };

const codecSamples = (
  described: ImageDescription,
  decoded: DecodedCodestream,
  { colour, lossy }: Codestream,
): Samples => {
  const description = describedAsCoded(described, decoded);
  const count = pixelsOf(description) * description.samplesPerPixel;
  const bytesPerSample = decoded.precision > 8 ? 2 : 1;
  if (decoded.bytes.length < count * bytesPerSample) {
    throw new DicomProblem('decode-failed', 'the decoder returned too few samples');
  }
  const signed = description.samplesPerPixel === 1 && description.signed;
  const layout = { ...codecLayout(description, decoded.precision, bytesPerSample), signed };
  const pixels = lossy
    ? clampedValues(decoded.bytes, count, layout, { precision: decoded.precision, signed: lossy.signed })
    : storedValues(decoded.bytes, count, layout);
  return { coded: { rows: decoded.rows, columns: decoded.columns }, pixels, bits: layout.bits, colour };
};

/** The default of libjpeg for three components. */
const libjpegConverts = ({ jfif, adobeTransform, frame }: JpegHeader): boolean => {
  if (jfif) return true;
  if (adobeTransform !== null) return adobeTransform !== 0;
  return frame.components.map(({ id }) => String.fromCharCode(id)).join('') !== 'RGB';
};

/** Whether the components are YCbCr: a JFIF or Adobe marker of the codestream takes precedence over the header. */
const isYcbcr = (description: ImageDescription, { jfif, adobeTransform }: JpegHeader): boolean => {
  if (jfif) return true;
  if (adobeTransform !== null) return adobeTransform !== 0;
  return description.photometricInterpretation !== 'RGB';
};

/** Decodes any JPEG; the process follows from its frame header, because transfer syntaxes are sometimes wrong. */
const jpegSamples = async (description: ImageDescription, bytes: Uint8Array, codecs: Codecs): Promise<Samples> => {
  const header = readJpegHeader(bytes);
  describedAsCoded(description, { ...header.frame, components: header.frame.components.length });
  if (header.frame.process === 0xc3) {
    const { samples, ...decoded } = decodeLosslessJpeg(bytes);
    const lossless = { colour: 'as described', lossy: null } as const;
    return codecSamples(description, { ...decoded, bytes: new Uint8Array(samples.buffer) }, lossless);
  }
  const ycbcr = description.samplesPerPixel === 3 && isYcbcr(description, header);
  const plainProcess = header.frame.precision === 8 && header.frame.process <= 0xc2;
  if (plainProcess && (description.samplesPerPixel === 1 || ycbcr === libjpegConverts(header))) {
    return codecSamples(description, await codecs.jpegBaseline(bytes), { colour: 'rgb', lossy: unsignedLossy });
  }
  const { samples, precision, ...size } = decodeJpeg(bytes);
  const decoded = { ...size, precision, bytes: new Uint8Array(samples.buffer) };
  return codecSamples(description, decoded, { colour: ycbcr ? 'ybr full' : 'rgb', lossy: unsignedLossy });
};

/** NEAR and interleave mode of the first JPEG-LS scan (T.87 C.2.3): lossy unless `near` is 0; components follow one another when `interleave` is 0. */
const jpegLsScan = (bytes: Uint8Array) => {
  for (let segment = nextSegment(bytes, 0); segment; segment = nextSegment(bytes, segment.end)) {
    if (segment.marker === 0xda) return { near: segment.body.at(-3), interleave: segment.body.at(-2) };
  }
  return { near: 0, interleave: null };
};

const jpegLsSamples = async (description: ImageDescription, bytes: Uint8Array, codecs: Codecs): Promise<Samples> => {
  const { near, interleave } = jpegLsScan(bytes);
  const codestream = { colour: 'as described', lossy: near ? unsignedLossy : null } as const;
  const decoded = await codecs.jpegLs(bytes);
  const samples = codecSamples(description, decoded, codestream);
  if (description.samplesPerPixel === 1 || interleave !== 0) return samples;
  return { ...samples, pixels: interleavePlanes(samples.pixels as Uint8Array, decoded.rows * decoded.columns) };
};

const jpeg2000Samples = async (
  description: ImageDescription,
  bytes: Uint8Array,
  decode: Codecs['htj2k'],
): Promise<Samples> => {
  const codestream = codestreamOf(bytes);
  const header = readJpeg2000Header(codestream);
  if (!header) throw new DicomProblem('decode-failed', 'the frame is no JPEG 2000 codestream');
  describedAsCoded(description, header);
  const untouched = !header.multipleComponentTransform && description.photometricInterpretation.startsWith('YBR_FULL');
  // The 5-3 transform is lossy too when layers are omitted, which the lossless syntaxes forbid.
  const lossy = !header.reversible || mayBeLossy(description.transferSyntaxUid) ? { signed: header.signed } : null;
  return codecSamples(description, await decode(codestream), { colour: untouched ? 'ybr full' : 'rgb', lossy });
};

const jpegXlSamples = async (description: ImageDescription, bytes: Uint8Array, codecs: Codecs): Promise<Samples> => {
  const { samplesPerPixel, signed, transferSyntaxUid } = description;
  // The codestream has none; encoders shift or reinterpret them, and a wrong guess is a wrong grey value.
  if (samplesPerPixel === 1 && signed) {
    throw new DicomProblem('transfer-syntax-unsupported', 'JPEG XL of signed samples is not supported');
  }
  const size = readJpegXlSize(bytes);
  if (!size) throw new DicomProblem('decode-failed', 'the frame is no JPEG XL codestream');
  describedAsCoded(description, { ...size, components: samplesPerPixel });
  const lossy = isAlwaysLossy(transferSyntaxUid) || mayBeLossy(transferSyntaxUid);
  const codestream = lossy
    ? ({ colour: 'rgb', lossy: unsignedLossy } as const)
    : ({ colour: 'as described', lossy: null } as const);
  return codecSamples(description, await codecs.jpegXl(bytes), codestream);
};

const samplesOf = async (description: ImageDescription, bytes: Uint8Array, codecs: Codecs): Promise<Samples> => {
  switch (pixelEncodingOf(description.transferSyntaxUid)) {
    case 'native':
      return nativeSamples(description, bytes);
    case 'deflated':
      return nativeSamples(description, inflated(bytes, Math.ceil(frameBits(description) / 8), 'frame'));
    case 'rle':
      return rleSamples(description, bytes);
    case 'jpeg-baseline':
    case 'jpeg-extended':
    case 'jpeg-lossless':
      return await jpegSamples(description, bytes, codecs);
    case 'jpeg-ls':
      return await jpegLsSamples(description, bytes, codecs);
    case 'jpeg-2000':
      return await jpeg2000Samples(description, bytes, codecs.jpeg2000);
    case 'htj2k':
      return await jpeg2000Samples(description, bytes, codecs.htj2k);
    case 'jpeg-xl':
      return await jpegXlSamples(description, bytes, codecs);
    case 'unsupported':
      throw new DicomProblem(
        'transfer-syntax-unsupported',
        `transfer syntax ${description.transferSyntaxUid} is not supported`,
      );
  }
};

/**
 * Decodes one frame to stored values (grey, palette index) or to RGB. A codestream smaller than its header says is at the top left, the rest is 0.
 * @param bytes the frame as `encodedFrame` returns it
 * @throws DicomProblem 'decode-failed', 'transfer-syntax-unsupported', 'pixel-data-short', 'image-unsupported', 'too-large'
 */
export const decodeFrame = async (
  description: ImageDescription,
  bytes: Uint8Array,
  codecs: Codecs,
): Promise<DecodedFrame> => {
  const isPacked = pixelEncodingOf(description.transferSyntaxUid) !== 'native';
  checkFrameSize(description, isPacked ? bytes.length : undefined);
  let samples: Samples;
  try {
    samples = await samplesOf(description, bytes, codecs);
  } catch (problem) {
    if (problem instanceof DicomProblem) throw problem;
    throw new DicomProblem('decode-failed', `the ${pixelEncodingOf(description.transferSyntaxUid)} decoder gave up`);
  }
  const { rows, columns, samplesPerPixel, photometricInterpretation } = description;
  const { pixels, bits, colour, coded = description } = samples;
  const ybr = colour === 'ybr full' || (colour === 'as described' && photometricInterpretation.startsWith('YBR_FULL'));
  if (samplesPerPixel === 3 && ybr) ybrFullToRgb(pixels as Uint8Array, bits);
  const frame = { rows, columns, samples: samplesPerPixel, bits } as const;
  if (coded.rows === rows && coded.columns === columns) return { ...frame, pixels };
  return { ...frame, coded, pixels: resized(pixels, samplesPerPixel, coded, description) };
};
