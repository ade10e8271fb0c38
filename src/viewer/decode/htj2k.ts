import openJph from '@cornerstonejs/codec-openjph/wasmjs';
import type { Codec } from '../../../dicom/codecs.ts';
import { decodeWith, type WasmDecoderClass } from '../../../dicom/wasm-decoder.ts';

const wasm = new URL('@cornerstonejs/codec-openjph/wasm', import.meta.url);

let loading: Promise<WasmDecoderClass> | null = null;

const load = async (): Promise<WasmDecoderClass> => {
  const { HTJ2KDecoder } = await openJph({
    locateFile: () => wasm.href,
    print: () => undefined,
    printErr: () => undefined,
  });
  return HTJ2KDecoder;
};

/**
 * Decodes HTJ2K by OpenJPH without Cornerstone's loader, which never frees a decoder (13 MB for each image of 4.5 megapixels) and
 * passes over the values four times more than needed.
 */
export const decodeHtj2k: Codec = async (codestream) => {
  loading ??= load();
  const Decoder = await loading;
  try {
    return decodeWith(Decoder, codestream);
  } catch (error) {
    // A WebAssembly instance that has thrown may be in any state: the next image gets a new one.
    loading = null;
    throw error;
  }
};
