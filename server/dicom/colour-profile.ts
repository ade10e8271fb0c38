import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { DecodedFrame } from '../../dicom/image-model.ts';
import { tags } from '../../dicom/tags.ts';
import type { OpenedFile } from './opened-file.ts';

/** 8-bit RGB, interleaved. */
interface RgbPixels {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const chunk = (type: string, body: Uint8Array): Buffer => {
  const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  checksum.writeUInt32BE(crc32(typeAndBody));
  return Buffer.concat([length, typeAndBody, checksum]);
};

/** Signature (8 bytes) and chunk IHDR (25 bytes). */
const pngHeaderLength = 33;

/** Embeds an ICC profile in a PNG (chunk iCCP), so that sharp can convert from it. */
export const withProfile = (png: Buffer, profile: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([png.subarray(0, pngHeaderLength), chunk('iCCP', body), png.subarray(pngHeaderLength)]);
};

/** Converts pixels to sRGB; returns them unchanged when the profile is damaged or is no RGB profile. */
const inSrgb = async ({ pixels, width, height }: RgbPixels, profile: Uint8Array): Promise<Uint8Array> => {
  const raw = { width, height, channels: 3 } as const;
  const png = await sharp(pixels, { raw, limitInputPixels: false }).png({ compressionLevel: 0 }).toBuffer();
  const converted = sharp(withProfile(png, profile), { limitInputPixels: false }).toColourspace('srgb').raw();
  const { buffer, byteOffset, byteLength } = await converted.toBuffer();
  return new Uint8Array(buffer, byteOffset, byteLength);
};

const gridStep = 17;
const gridSide = 1 + 255 / gridStep;

/** 4096 colours: 16 evenly spaced values per channel. */
const grid: RgbPixels = {
  width: gridSide ** 2,
  height: gridSide,
  pixels: Uint8Array.from({ length: gridSide ** 3 * 3 }, (_, index) => {
    const colour = Math.floor(index / 3);
    return (Math.floor(colour / gridSide ** (index % 3)) % gridSide) * gridStep;
  }),
};

/** Returns whether a profile is equivalent to sRGB: no channel of a grid colour changes by more than 1. */
export const isSrgb = async (profile: Uint8Array): Promise<boolean> => {
  const converted = await inSrgb(grid, profile);
  return converted.every((value, index) => Math.abs(value - (grid.pixels[index] ?? 0)) <= 1);
};

/** Converts pixels of one image to sRGB. */
export type SrgbConversion = (rgb: RgbPixels) => Promise<Uint8Array>;

/**
 * Returns the conversion to sRGB that the ICC Profile (0028,2000) of an 8-bit colour image requires (PS3.3 C.11.15); null when it has no
 * profile or an sRGB one, and for other images.
 */
export const srgbConversion = async ({ file, description }: OpenedFile): Promise<SrgbConversion | null> => {
  if (description.samplesPerPixel !== 3 || description.bitsStored !== 8) return null;
  const profile = file.dataSet.bytes(tags.iccProfile);
  if (!profile || (await isSrgb(profile))) return null;
  return (rgb) => inSrgb(rgb, profile);
};

/** Applies a conversion to a decoded frame; returns the frame unchanged when the conversion is null. */
export const frameInSrgb = async (frame: DecodedFrame, conversion: SrgbConversion | null): Promise<DecodedFrame> => {
  const { pixels, columns: width, rows: height } = frame;
  return conversion && pixels instanceof Uint8Array
    ? { ...frame, pixels: await conversion({ pixels, width, height }) }
    : frame;
};
