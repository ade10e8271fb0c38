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
 * OpenJPH without Cornerstone's loader around it: that never frees a decoder (13 MB for each picture of 4.5 megapixels), and goes over
 * the values four times more than is needed.
 */
export const decodeHtj2k: Codec = async (codestream) => {
  loading ??= load();
  const Decoder = await loading;
  try {
    return decodeWith(Decoder, codestream);
  } catch (error) {
    // WebAssembly that has thrown may be left in any state: the next picture gets a fresh instance.
    loading = null;
    throw error;
  }
};
