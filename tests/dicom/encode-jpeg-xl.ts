import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

interface Samples {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly componentCount: number;
}

/** An encoder object of the codec package (embind). */
interface JpegXlEncoder {
  getDecodedBuffer(info: Samples & { readonly isSigned: boolean }): Uint8Array;
  setLossless(lossless: boolean): void;
  setDistance(distance: number): void;
  setEffort(effort: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
  delete(): void;
}

const require = createRequire(import.meta.url);

const load = async (): Promise<new () => JpegXlEncoder> => {
  const { default: factory } = require('@cornerstonejs/codec-libjxl/encodewasmjs');
  const wasmBinary = await readFile(require.resolve('@cornerstonejs/codec-libjxl/encodewasm'));
  return (await factory({ locateFile: () => '', wasmBinary })).JpegXLEncoder;
};
let loading: ReturnType<typeof load> | undefined;

/** Compresses unsigned little endian samples with libjxl. `distance`: 0 is lossless, 1 visually lossless (Butteraugli). */
export const encodeJpegXl = async (bytes: Uint8Array, info: Samples, distance = 0): Promise<Uint8Array> => {
  loading ??= load();
  const encoder = new (await loading)();
  encoder.getDecodedBuffer({ ...info, isSigned: false }).set(bytes);
  if (distance === 0) encoder.setLossless(true);
  else encoder.setDistance(distance);
  // The fastest of ten.
  encoder.setEffort(1);
  encoder.encode();
  const encoded = encoder.getEncodedBuffer().slice();
  encoder.delete();
  return encoded;
};
