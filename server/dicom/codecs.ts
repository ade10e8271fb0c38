import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Codec, Codecs, DecodedCodestream } from '../../dicom/codecs.ts';
import { decodeWith, type WasmDecoder, type WasmDecoderClass } from '../../dicom/wasm-decoder.ts';

/** Decodes with this many resolution levels left out: each halves width and height, rounded up. Sizes are those of the full picture. */
type ReducingCodec = (codestream: Uint8Array, levels: number) => Promise<DecodedCodestream>;

export interface ReducingCodecs extends Codecs {
  readonly reduced: { readonly jpeg2000: ReducingCodec; readonly htj2k: ReducingCodec };
}

interface WasmModule {
  readonly HEAPU8?: Uint8Array;
  readonly [decoder: string]: unknown;
}
type WasmFactory = (options: object) => Promise<WasmModule>;

/** Methods that only decoders of the JPEG 2000 family have. */
interface ReducingDecoder extends WasmDecoder {
  readHeader(): void;
  decodeSubResolution(levels: number, layer?: number): void;
}

const require = createRequire(import.meta.url);

const packages = {
  charls: ['@cornerstonejs/codec-charls/decodewasmjs', '@cornerstonejs/codec-charls/decodewasm'],
  openjpeg: ['@cornerstonejs/codec-openjpeg/decodewasmjs', '@cornerstonejs/codec-openjpeg/decodewasm'],
  openjph: ['@cornerstonejs/codec-openjph/wasmjs', '@cornerstonejs/codec-openjph/wasm'],
  jxl: ['@cornerstonejs/codec-libjxl/decodewasmjs', '@cornerstonejs/codec-libjxl/decodewasm'],
  turbo: ['@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs', '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm'],
} as const;

/** A module with more memory than this is dropped after use, because WebAssembly memory never shrinks. */
const maxCachedBytes = 48 * 2 ** 20;

const load = async (name: keyof typeof packages): Promise<WasmModule> => {
  const [script, wasm] = packages[name];
  const loaded = require(script) as WasmFactory | { default: WasmFactory };
  const factory = typeof loaded === 'function' ? loaded : loaded.default;
  const path = require.resolve(wasm);
  // libjxl is built for browsers and does not read files.
  const wasmBinary = await readFile(path);
  return await factory({ locateFile: () => path, wasmBinary, print: () => {}, printErr: () => {} });
};

/** Loads the module when first needed, and lends its decoder to one picture at a time. */
const wasmCodec = (name: keyof typeof packages, decoderName: string) => {
  let loading: Promise<WasmModule> | null = null;
  return async (decode: (Decoder: WasmDecoderClass) => DecodedCodestream): Promise<DecodedCodestream> => {
    loading ??= load(name);
    const module = await loading;
    const Decoder = module[decoderName];
    if (!Decoder) throw new Error(`the codec ${name} has no ${decoderName}`);
    try {
      const picture = decode(Decoder as WasmDecoderClass);
      if ((module.HEAPU8?.byteLength ?? 0) > maxCachedBytes) loading = null;
      return picture;
    } catch (error) {
      // WebAssembly that threw may be in any state: the next picture gets a fresh instance.
      loading = null;
      throw error;
    }
  };
};

/** As `decodeWith`, at a lower resolution. */
const decodeReducedWith = (
  Decoder: WasmDecoderClass,
  codestream: Uint8Array,
  decode: (decoder: ReducingDecoder) => void,
): DecodedCodestream => {
  const decoder = new Decoder() as ReducingDecoder;
  decoder.getEncodedBuffer(codestream.length).set(codestream);
  decoder.readHeader();
  decode(decoder);
  const { width, height, bitsPerSample, componentCount } = decoder.getFrameInfo();
  const bytes = decoder.getDecodedBuffer().slice();
  decoder.delete();
  return { rows: height, columns: width, components: componentCount, precision: bitsPerSample, bytes };
};

/** Creates the WebAssembly decoders of this process, each loaded when first needed. */
export const createCodecs = (): ReducingCodecs => {
  const openjpeg = wasmCodec('openjpeg', 'J2KDecoder');
  const openjph = wasmCodec('openjph', 'HTJ2KDecoder');
  const whole =
    (codec: ReturnType<typeof wasmCodec>): Codec =>
    (codestream) =>
      codec((Decoder) => decodeWith(Decoder, codestream));
  return {
    jpegBaseline: whole(wasmCodec('turbo', 'JPEGDecoder')),
    jpegLs: whole(wasmCodec('charls', 'JpegLSDecoder')),
    jpeg2000: whole(openjpeg),
    htj2k: whole(openjph),
    jpegXl: whole(wasmCodec('jxl', 'JpegXLDecoder')),
    reduced: {
      jpeg2000: (codestream, levels) =>
        openjpeg((Decoder) => decodeReducedWith(Decoder, codestream, (one) => one.decodeSubResolution(levels, 0))),
      htj2k: (codestream, levels) =>
        openjph((Decoder) => decodeReducedWith(Decoder, codestream, (one) => one.decodeSubResolution(levels))),
    },
  };
};
