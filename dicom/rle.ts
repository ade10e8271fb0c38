import { DicomProblem } from './problem.ts';

/** PackBits (PS3.5 G.3.1) of one segment into every `stride`-th byte of `out`; returns how many values were written. */
const unpackSegment = (segment: Uint8Array, out: Uint8Array, first: number, stride: number, count: number): number => {
  let written = 0;
  let target = first;
  let at = 0;
  while (at < segment.length && written < count) {
    const control = segment[at++] ?? 0;
    if (control < 128) {
      const end = Math.min(at + control + 1, segment.length);
      while (at < end && written < count) {
        out[target] = segment[at++] ?? 0;
        target += stride;
        written++;
      }
    } else if (control > 128 && at < segment.length) {
      const value = segment[at++] ?? 0;
      for (let run = 257 - control; run > 0 && written < count; run--) {
        out[target] = value;
        target += stride;
        written++;
      }
    }
  }
  return written;
};

/**
 * RLE Lossless (PS3.5 annex G) of one frame.
 * @returns `pixels * samples * bytesPerSample` bytes: samples interleaved, each little endian
 * @throws DicomProblem 'decode-failed'
 */
export const decodeRle = (bytes: Uint8Array, pixels: number, samples: number, bytesPerSample: number): Uint8Array => {
  if (bytes.length < 64) throw new DicomProblem('decode-failed', 'the RLE header is not complete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = view.getUint32(0, true);
  if (segments !== samples * bytesPerSample) {
    throw new DicomProblem('decode-failed', `RLE has ${segments} segments where ${samples * bytesPerSample} are due`);
  }
  const out = new Uint8Array(pixels * segments);
  for (let segment = 0; segment < segments; segment++) {
    const start = view.getUint32(4 + segment * 4, true);
    const end = segment + 1 < segments ? view.getUint32(8 + segment * 4, true) : bytes.length;
    if (start < 64 || end > bytes.length || start > end) {
      throw new DicomProblem('decode-failed', `RLE segment ${segment + 1} lies outside the frame`);
    }
    const sample = Math.floor(segment / bytesPerSample);
    // Segments hold the most significant byte first.
    const byte = bytesPerSample - 1 - (segment % bytesPerSample);
    const written = unpackSegment(bytes.subarray(start, end), out, sample * bytesPerSample + byte, segments, pixels);
    if (written < pixels) {
      throw new DicomProblem('decode-failed', `RLE segment ${segment + 1} holds ${written} of ${pixels} values`);
    }
  }
  return out;
};
