import { createRequire } from 'node:module';

interface FrameInfo {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly componentCount: number;
  readonly isSigned: boolean;
  readonly isUsingColorTransform: boolean;
}

/** An encoder object of the Cornerstone codec packages (embind). */
interface WasmEncoder {
  getDecodedBuffer(info: FrameInfo): Uint8Array;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
  setNearLossless?(difference: number): void;
  setInterleaveMode?(mode: number): void;
  setQuality?(lossless: boolean, quality: number): void;
  delete(): void;
}

type EncoderClass = new () => WasmEncoder;
type WasmFactory = (options: object) => Promise<Readonly<Record<string, EncoderClass>>>;

/** Losslessly compresses one frame of little endian samples. */
export type LosslessEncoder = (bytes: Uint8Array, info: FrameInfo) => Promise<Uint8Array>;

/** Interleave mode of JPEG-LS: the components of a pixel follow each other, as in the frames of this program. */
const bySample = 2;

const require = createRequire(import.meta.url);

const load = async (name: string, encoderName: string): Promise<EncoderClass> => {
  const loaded = require(`@cornerstonejs/${name}/wasmjs`) as WasmFactory | { default: WasmFactory };
  const factory = typeof loaded === 'function' ? loaded : loaded.default;
  const path = require.resolve(`@cornerstonejs/${name}/wasm`);
  const instance = await factory({ locateFile: () => path, print: () => {}, printErr: () => {} });
  const encoder = instance[encoderName];
  if (!encoder) throw new Error(`the codec ${name} has no ${encoderName}`);
  return encoder;
};

const encoderOf = (name: string, encoderName: string): LosslessEncoder => {
  let loading: Promise<EncoderClass> | null = null;
  return async (bytes, info) => {
    loading ??= load(name, encoderName);
    const Encoder = await loading;
    const encoder = new Encoder();
    try {
      encoder.getDecodedBuffer(info).set(bytes);
      encoder.setNearLossless?.(0);
      encoder.setInterleaveMode?.(info.componentCount === 1 ? 0 : bySample);
      encoder.setQuality?.(true, 0);
      encoder.encode();
      // The encoded buffer is a view of WebAssembly memory, which the next frame overwrites.
      return encoder.getEncodedBuffer().slice();
    } finally {
      encoder.delete();
    }
  };
};

export const encodeJpegLs = encoderOf('codec-charls', 'JpegLSEncoder');
export const encodeJpeg2000 = encoderOf('codec-openjpeg', 'J2KEncoder');
export const encodeHtj2k = encoderOf('codec-openjph', 'HTJ2KEncoder');
