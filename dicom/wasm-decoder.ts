import type { DecodedCodestream } from './codecs.ts';

/** A decoder object of the Cornerstone codec packages (embind). */
export interface WasmDecoder {
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  getFrameInfo(): { width: number; height: number; bitsPerSample: number; componentCount: number };
  getDecodedBuffer(): Uint8Array;
  delete(): void;
}

export type WasmDecoderClass = new () => WasmDecoder;

/**
 * Decodes one codestream and gives the decoder's memory back, which nothing else does.
 * @throws whatever the decoder throws; the module must not be used after that, since it may be left in any state
 */
export const decodeWith = (Decoder: WasmDecoderClass, codestream: Uint8Array): DecodedCodestream => {
  const decoder = new Decoder();
  decoder.getEncodedBuffer(codestream.length).set(codestream);
  decoder.decode();
  const { width, height, bitsPerSample, componentCount } = decoder.getFrameInfo();
  // The decoded buffer is a view of WebAssembly memory, which the next decode overwrites.
  const bytes = decoder.getDecodedBuffer().slice();
  decoder.delete();
  return { rows: height, columns: width, components: componentCount, precision: bitsPerSample, bytes };
};
