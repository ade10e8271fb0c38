import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { DecodedFrame } from '../../dicom/image-model.ts';
import { tags } from '../../dicom/tags.ts';
import type { OpenedFile } from './opened-file.ts';

/** Interleaved red, green and blue of 8 bits. */
interface RgbPixels {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const chunk = (type: string, body: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
};

const pngHeaderLength = 33;

/** Names the colour space of a PNG (chunk iCCP), so that sharp converts it when it reads the PNG. */
export const withProfile = (png: Buffer, profile: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([png.subarray(0, pngHeaderLength), chunk('iCCP', body), png.subarray(pngHeaderLength)]);
};

/** Returns the pixels in sRGB; unchanged when the profile is damaged or not one of RGB values. */
const inSrgb = async ({ pixels, width, height }: RgbPixels, profile: Uint8Array): Promise<Uint8Array> => {
  const raw = { width, height, channels: 3 } as const;
  const png = await sharp(pixels, { raw, limitInputPixels: false }).png({ compressionLevel: 0 }).toBuffer();
  const converted = sharp(withProfile(png, profile), { limitInputPixels: false }).toColourspace('srgb').raw();
  const { buffer, byteOffset, byteLength } = await converted.toBuffer();
  return new Uint8Array(buffer, byteOffset, byteLength);
};

const gridStep = 17;
const gridSide = 1 + 255 / gridStep;

/** 4096 colours, evenly over all. */
const grid: RgbPixels = {
  width: gridSide ** 2,
  height: gridSide,
  pixels: Uint8Array.from({ length: gridSide ** 3 * 3 }, (_, index) => {
    const colour = Math.floor(index / 3);
    return (Math.floor(colour / gridSide ** (index % 3)) % gridSide) * gridStep;
  }),
};

/** Returns whether a profile changes colours by no more than rounding does, as that of sRGB. */
export const isSrgb = async (profile: Uint8Array): Promise<boolean> => {
  const converted = await inSrgb(grid, profile);
  return converted.every((value, index) => Math.abs(value - (grid.pixels[index] ?? 0)) <= 1);
};

/** Converts pixels of one image to sRGB. */
export type SrgbConversion = (rgb: RgbPixels) => Promise<Uint8Array>;

/**
 * Returns the conversion that the ICC Profile (0028,2000) of a colour image asks for (PS3.3 C.11.15); null for images of 8 bits in sRGB, and for
 * all others.
 */
export const srgbConversion = async ({ file, description }: OpenedFile): Promise<SrgbConversion | null> => {
  if (description.samplesPerPixel !== 3 || description.bitsStored !== 8) return null;
  const profile = file.dataSet.bytes(tags.iccProfile);
  if (!profile || (await isSrgb(profile))) return null;
  return (rgb) => inSrgb(rgb, profile);
};

/** Returns a decoded frame with its colours in sRGB. */
export const frameInSrgb = async (frame: DecodedFrame, conversion: SrgbConversion | null): Promise<DecodedFrame> => {
  const { pixels, columns: width, rows: height } = frame;
  return conversion && pixels instanceof Uint8Array
    ? { ...frame, pixels: await conversion({ pixels, width, height }) }
    : frame;
};
