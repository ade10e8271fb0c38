import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { tags } from '../../dicom/tags.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { isSrgb } from '../../server/dicom/colour-profile.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import type { PictureIdentity } from '../../server/dicom/picture-identity.ts';
import { pictureToDicom } from '../../server/dicom/picture-to-dicom.ts';
import { makeThumbnail } from '../../server/dicom/thumbnail.ts';
import { opened } from './greyscale-files.ts';

const codecs = createCodecs();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-colour-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** In sRGB. */
const colour = [200, 100, 50];
const [width, height] = [1400, 16];

const picture = (profile: string) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 100, b: 50 } } }).withIccProfile(profile);
const profileNamed = async (name: string): Promise<Uint8Array> => {
  const { icc } = await sharp(await picture(name).png().toBuffer()).metadata();
  if (!icc) throw new Error(`sharp wrote no profile ${name}`);
  return new Uint8Array(icc);
};
const displayP3 = await profileNamed('p3');
/** The stored values of that colour in Display P3. */
const inDisplayP3 = [190, 105, 62];

const rgbFile = (values: readonly number[], attributes: DataSet = {}, bits: 8 | 16 = 8): Uint8Array => {
  const all = Array.from({ length: width * height * 3 }, (_, index) => values[index % 3] ?? 0);
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.77.1.4',
      SOPInstanceUID: '1.2.3.6',
      SamplesPerPixel: 3,
      PhotometricInterpretation: 'RGB',
      PlanarConfiguration: 0,
      Rows: height,
      Columns: width,
      BitsAllocated: bits,
      BitsStored: bits,
      HighBit: bits - 1,
      PixelRepresentation: 0,
      PixelData: bits === 8 ? Uint8Array.from(all) : Uint16Array.from(all),
      ...attributes,
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};

const renditionOf = async (bytes: Uint8Array, level: 'full' | 'reduced', skipConversion: boolean) => {
  const made = await makeRendition(opened(bytes), { frame: 0, level, skipConversion }, codecs);
  const rendition = readRendition(made.bytes);
  const { pixels } = await decodeRendition(rendition, codecs);
  return { kind: rendition.kind, worth: made.worth, colour: [...pixels.slice(0, 3)] };
};
const thumbnailColour = async (bytes: Uint8Array) => {
  const thumbnail = await makeThumbnail(opened(bytes), { maxEdge: 64 }, codecs);
  return [...(await sharp(thumbnail.bytes).raw().toBuffer()).subarray(0, 3)];
};
/** JPEG changes values a little; the two colours differ by 5 to 12 in each channel. */
const expectColour = (found: readonly number[], wanted: readonly number[] = colour) => {
  for (const [index, value] of wanted.entries()) expect(Math.abs((found[index] ?? 0) - value)).toBeLessThanOrEqual(4);
};

const identity: PictureIdentity = {
  patient: { id: '19121212-1212', name: 'Prov^Eva', birthDate: '1912-12-12', sex: 'F' },
  study: { instanceUid: '1.2.3', id: '7', date: '2024-05-06', time: null, description: null, accessionNumber: null },
  series: { instanceUid: '1.2.3.4', number: 1, modality: 'XC', description: null },
  instance: { sopInstanceUid: '1.2.3.4.5', number: 1, acquiredDate: null, acquiredTime: null },
};
const imported = async (jpeg: Uint8Array): Promise<Uint8Array> => {
  const file = path.join(folder, `${Math.random()}.jpg`);
  await writeFile(file, jpeg);
  return pictureToDicom({ path: file }, identity, 2 ** 20);
};

describe('a colour image with an ICC profile', () => {
  it.each(['full', 'reduced'] as const)('is converted to sRGB for the viewer, at once: %s', async (level) => {
    for (const skipConversion of [true, false]) {
      const { colour: found, worth } = await renditionOf(
        rgbFile(inDisplayP3, { ICCProfile: displayP3 }),
        level,
        skipConversion,
      );
      expectColour(found);
      expect(worth).toBe('cache');
    }
  });

  it('is converted to sRGB in its thumbnail', async () => {
    expectColour(await thumbnailColour(rgbFile(inDisplayP3, { ICCProfile: displayP3 })));
    expectColour(await thumbnailColour(rgbFile(inDisplayP3)), inDisplayP3);
  });

  it('keeps its values when the profile is sRGB or damaged', async () => {
    for (const ICCProfile of [await profileNamed('srgb'), displayP3.slice(0, 200)]) {
      const { colour: found, worth } = await renditionOf(rgbFile(inDisplayP3, { ICCProfile }), 'full', true);
      expect(found).toEqual(inDisplayP3);
      expect(worth).toBe('copy');
    }
  });

  it('of 16 bits keeps its values', async () => {
    const values = [50_000, 300, 7];
    const { colour: found } = await renditionOf(rgbFile(values, { ICCProfile: displayP3 }, 16), 'full', false);
    expect(found).toEqual(values);
  });
});

describe('a JPEG that is imported', () => {
  it('in another colour space keeps its bytes and its profile, and is shown in sRGB', async () => {
    const jpeg = await picture('p3').jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const object = await imported(jpeg);
    const { file, description } = opened(object);
    expect(readDicomFile(object).dataSet.bytes(tags.iccProfile)).toEqual(displayP3);
    const own = encodedFrame(file, description, 0);
    expectColour([...(await sharp(own).raw().toBuffer()).subarray(0, 3)], inDisplayP3);
    expectColour((await renditionOf(object, 'full', true)).colour);
    expectColour(await thumbnailColour(object));
  });

  it('in sRGB has no profile', async () => {
    const object = await imported(await picture('srgb').jpeg({ quality: 100 }).toBuffer());
    expect(readDicomFile(object).dataSet.bytes(tags.iccProfile)).toBeNull();
    expect((await renditionOf(object, 'full', true)).worth).toBe('copy');
  });
});

it('a profile is that of sRGB when it changes no colour', async () => {
  expect(await isSrgb(await profileNamed('srgb'))).toBe(true);
  expect(await isSrgb(displayP3)).toBe(false);
});
