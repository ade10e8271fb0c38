import { createRequire } from 'node:module';
import type { Codec, Codecs } from '../../dicom/codecs.ts';
import { decodeWith, type WasmDecoderClass } from '../../dicom/wasm-decoder.ts';

type WasmFactory = (options: object) => Promise<Readonly<Record<string, WasmDecoderClass>>>;

const require = createRequire(import.meta.url);

const packages = {
  charls: ['@cornerstonejs/codec-charls/decodewasmjs', '@cornerstonejs/codec-charls/decodewasm'],
  openjpeg: ['@cornerstonejs/codec-openjpeg/decodewasmjs', '@cornerstonejs/codec-openjpeg/decodewasm'],
  openjph: ['@cornerstonejs/codec-openjph/wasmjs', '@cornerstonejs/codec-openjph/wasm'],
  turbo: ['@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs', '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm'],
} as const;

const load = async (name: keyof typeof packages, decoderName: string): Promise<WasmDecoderClass> => {
  const [script, wasm] = packages[name];
  const loaded = require(script) as WasmFactory | { default: WasmFactory };
  const factory = typeof loaded === 'function' ? loaded : loaded.default;
  const path = require.resolve(wasm);
  const instance = await factory({ locateFile: () => path, print: () => {}, printErr: () => {} });
  const decoder = instance[decoderName];
  if (!decoder) throw new Error(`the codec ${name} has no ${decoderName}`);
  return decoder;
};

/** Loads the module when first needed. */
const wasmCodec = (name: keyof typeof packages, decoderName: string): Codec => {
  let loading: Promise<WasmDecoderClass> | null = null;
  return async (codestream) => {
    loading ??= load(name, decoderName);
    const Decoder = await loading;
    try {
      return decodeWith(Decoder, codestream);
    } catch (error) {
      // WebAssembly that has thrown may be left in any state: the next picture gets a fresh instance.
      loading = null;
      throw error;
    }
  };
};

/** The WebAssembly decoders of this process, each loaded when first needed. */
export const createCodecs = (): Codecs => ({
  jpegBaseline: wasmCodec('turbo', 'JPEGDecoder'),
  jpegLs: wasmCodec('charls', 'JpegLSDecoder'),
  jpeg2000: wasmCodec('openjpeg', 'J2KDecoder'),
  htj2k: wasmCodec('openjph', 'HTJ2KDecoder'),
});
