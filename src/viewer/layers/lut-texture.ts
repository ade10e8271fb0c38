import { BufferImageSource } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';

const widest = 4096;

/** A lookup table as a texture of 16-bit numbers, in rows of 4096 entries. */
export const lutTexture = ({ values }: LookupTable): BufferImageSource => {
  const width = Math.min(widest, values.length);
  const height = Math.ceil(values.length / width);
  const entries = new Uint16Array(width * height);
  entries.set(values);
  return new BufferImageSource({
    resource: entries,
    width,
    height,
    format: 'r16uint',
    scaleMode: 'nearest',
    alphaMode: 'no-premultiply-alpha',
    autoGenerateMipmaps: false,
    autoGarbageCollect: false,
  });
};
