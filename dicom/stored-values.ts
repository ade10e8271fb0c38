import type { CodedSize, DecodedFrame, ImageDescription, PixelArray } from './image-model.ts';

export interface SampleLayout {
  readonly bytesPerSample: 1 | 2 | 4;
  /** Lowest bit of the sample within its container, and how many bits it has. */
  readonly shift: number;
  readonly bits: number;
  readonly signed: boolean;
}

const containers = {
  1: { unsigned: Uint8Array, signed: Int8Array },
  2: { unsigned: Uint16Array, signed: Int16Array },
  4: { unsigned: Uint32Array, signed: Int32Array },
} as const;

/** Returns a copy of the first `length` bytes that is aligned for any typed array; 0 where there are fewer. */
export const aligned = (bytes: Uint8Array, length: number): ArrayBuffer => {
  const buffer = new ArrayBuffer(length);
  new Uint8Array(buffer).set(bytes.subarray(0, length));
  return buffer;
};

/**
 * Returns `count` stored values from little endian containers: bits outside Bits Stored are dropped (old overlays are stored there), the
 * sign bit is extended (PS3.5 8.1.1). Runs on little endian machines, which is all that browsers and Node run on.
 */
export const storedValues = (bytes: Uint8Array, count: number, layout: SampleLayout): PixelArray => {
  const { bytesPerSample, shift, bits, signed } = layout;
  const types = containers[bytesPerSample];
  const buffer = aligned(bytes, count * bytesPerSample);
  const values = signed ? new types.signed(buffer) : new types.unsigned(buffer);
  const width = bytesPerSample * 8;
  if (bits === width && shift === 0) return values;
  const left = 32 - bits - shift;
  const right = 32 - bits;
  for (let index = 0; index < values.length; index++) {
    const raw = (values[index] ?? 0) << left;
    values[index] = signed ? raw >> right : raw >>> right;
  }
  return values;
};

/** Returns the bit position of the samples of native and RLE data. */
export const nativeLayout = ({ bitsAllocated, bitsStored, highBit, signed }: ImageDescription): SampleLayout => ({
  bytesPerSample: bitsAllocated <= 8 ? 1 : bitsAllocated <= 16 ? 2 : 4,
  shift: highBit + 1 - bitsStored,
  bits: bitsStored,
  signed,
});

/**
 * Returns the bit position of the samples of a codec's output: the low bits, by the precision of the codestream (bits). The sign follows
 * Pixel Representation, since codestreams are often wrong.
 */
export const codecLayout = (description: ImageDescription, precision: number, bytesPerSample: 1 | 2): SampleLayout => {
  const shift = precision > description.highBit ? description.highBit + 1 - description.bitsStored : 0;
  const bits = Math.min(precision - shift, description.bitsStored, bytesPerSample * 8 - shift);
  return { bytesPerSample, shift, bits, signed: description.signed };
};

/** Sample format of a codec's output: bits and sign according to the codestream. */
interface CodedSamples {
  readonly precision: number;
  readonly signed: boolean;
}

/**
 * Returns stored values of a lossy codestream, clamped to the range of Bits Stored: compression overshoots at edges, and a mask would turn white to black.
 * Where the codestream disagrees with Pixel Representation about the sign, the sign bit is that of its precision.
 */
export const clampedValues = (
  bytes: Uint8Array,
  count: number,
  { bytesPerSample, shift, bits, signed }: SampleLayout,
  coded: CodedSamples,
): PixelArray => {
  const types = containers[bytesPerSample];
  const buffer = aligned(bytes, count * bytesPerSample);
  const values = signed ? new types.signed(buffer) : new types.unsigned(buffer);
  const unused = 32 - (coded.signed === signed ? bytesPerSample * 8 : coded.precision);
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  for (let index = 0; index < values.length; index++) {
    const raw = (values[index] ?? 0) << unused;
    const value = (signed ? raw >> unused : raw >>> unused) >> shift;
    values[index] = value < low ? low : value > high ? high : value;
  }
  return values;
};

/** Returns `count` 1-bit samples as 0 or 1, the first pixel in the least significant bit (PS3.5 8.1.1). */
export const unpackBits = (bytes: Uint8Array, count: number): Uint8Array => {
  const values = new Uint8Array(count);
  for (let index = 0; index < count; index++) values[index] = ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1;
  return values;
};

/** Returns an array of the same type, of `length` zeros. */
export const arrayLike = (pixels: PixelArray, length: number): PixelArray => {
  if (pixels instanceof Uint8Array) return new Uint8Array(length);
  if (pixels instanceof Int8Array) return new Int8Array(length);
  if (pixels instanceof Uint16Array) return new Uint16Array(length);
  if (pixels instanceof Int16Array) return new Int16Array(length);
  if (pixels instanceof Uint32Array) return new Uint32Array(length);
  if (pixels instanceof Int32Array) return new Int32Array(length);
  return pixels instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
};

/** Returns the values of a picture with `samples` values per pixel, cut or filled with 0 at the right and at the bottom to another size. */
export const resized = (values: PixelArray, samples: number, from: CodedSize, to: CodedSize): PixelArray => {
  const out = arrayLike(values, to.rows * to.columns * samples);
  const columns = Math.min(from.columns, to.columns);
  for (let row = 0; row < Math.min(from.rows, to.rows); row++) {
    const start = row * from.columns * samples;
    out.set(values.subarray(start, start + columns * samples), row * to.columns * samples);
  }
  return out;
};

/** Returns the values that are in the codestream of a frame, without those that fill it up to the size of the header. */
export const codedValues = (frame: DecodedFrame): PixelArray =>
  frame.coded ? resized(frame.pixels, frame.samples, frame, frame.coded) : frame.pixels;
