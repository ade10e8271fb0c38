import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { summarise } from '../../dicom/identity.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { createImaging, type Imaging, type PictureIdentity } from '../../server/dicom/imaging.ts';
import { bytesOf, element, encapsulated, type PictureHeader, part10, pictureHeader } from './build-dicom.ts';

let folder = '';
let imaging: Imaging;
const codecs = createCodecs();

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-pictures-'));
  imaging = createImaging({ workers: 1 });
});
afterAll(async () => {
  await imaging.close();
  await rm(folder, { recursive: true });
});

const identity: PictureIdentity = {
  patient: { id: '19121212-1212', name: 'Åberg^Eva', birthDate: '1912-12-12', sex: 'F' },
  study: {
    instanceUid: '1.2.3',
    id: '7',
    date: '2024-05-06',
    time: '07:08:09',
    description: 'Panoramic',
    accessionNumber: null,
  },
  series: { instanceUid: '1.2.3.4', number: 1, modality: 'PX', description: null },
  instance: { sopInstanceUid: '1.2.3.4.5', number: 2, acquiredDate: '2024-05-05', acquiredTime: null },
};

const saved = async (name: string, bytes: Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
};

/** The DICOM object made of a picture, read back. */
const made = async (name: string, bytes: Uint8Array) => {
  const object = await imaging.pictureToDicom({ path: await saved(name, bytes) }, identity);
  const inspection = await imaging.inspect({ path: await saved(`${name}.dcm`, object) });
  expect(inspection.problems).toEqual([]);
  const file = readDicomFile(object);
  const description = describeImage(file);
  if (!description) throw new Error('no picture');
  const { pixels } = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
  return { object, file, description, pixels, inspection };
};

const [width, height] = [5, 3];
const grey8 = Uint8Array.from({ length: width * height }, (_, index) => index * 17);
const colours = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 37) % 256);
const fromGrey = () => sharp(grey8, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
const fromRgb = () => sharp(colours, { raw: { width, height, channels: 3 } });

describe('a picture becomes a DICOM object', () => {
  it('greyscale of 8 bits, as a Secondary Capture with its own values', async () => {
    const { description, pixels, file } = await made('grey.png', await fromGrey().png().toBuffer());
    expect(description).toMatchObject({ rows: 3, columns: 5, photometricInterpretation: 'MONOCHROME2', bitsStored: 8 });
    expect(pixels).toEqual(grey8);
    expect(description.lossy).toBe(false);
    expect(summarise(file)).toMatchObject({
      patient: { id: '19121212-1212', name: 'Åberg^Eva', birthDate: '1912-12-12', sex: 'F' },
      study: { instanceUid: '1.2.3', date: '2024-05-06', time: '07:08:09', description: 'Panoramic' },
      series: { instanceUid: '1.2.3.4', number: 1, modality: 'PX' },
      instance: { sopClassUid: '1.2.840.10008.5.1.4.1.1.7', sopInstanceUid: '1.2.3.4.5', acquiredDate: '2024-05-05' },
    });
  });

  it('greyscale of 16 bits stays 16 bits', async () => {
    const wide = Uint16Array.from({ length: width * height }, (_, index) => index * 4000 + 3);
    const source = sharp(wide, { raw: { width, height, channels: 1 } }).toColourspace('grey16');
    const { description, pixels } = await made('wide.png', await source.png().toBuffer());
    expect(description).toMatchObject({ bitsStored: 16, bitsAllocated: 16, signed: false });
    expect(pixels).toEqual(wide);
  });

  it('greyscale that was saved as RGB becomes greyscale again', async () => {
    const rgb = Uint8Array.from({ length: width * height * 3 }, (_, index) => grey8[Math.floor(index / 3)] ?? 0);
    const png = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    const { description, pixels } = await made('equal.png', png);
    expect(description.photometricInterpretation).toBe('MONOCHROME2');
    expect(pixels).toEqual(grey8);
  });

  it('colour of a png, as a photograph', async () => {
    const { description, pixels, inspection } = await made('colour.png', await fromRgb().png().toBuffer());
    expect(description.photometricInterpretation).toBe('RGB');
    expect(pixels).toEqual(colours);
    expect(inspection.summary?.instance.sopClassUid).toBe('1.2.840.10008.5.1.4.1.1.77.1.4');
  });

  it('composites transparency on black', async () => {
    const rgba = Uint8Array.of(200, 100, 50, 0, 200, 100, 50, 255);
    const png = await sharp(rgba, { raw: { width: 2, height: 1, channels: 4 } })
      .png()
      .toBuffer();
    const { pixels } = await made('alpha.png', png);
    expect([...pixels]).toEqual([0, 0, 0, 200, 100, 50]);
  });

  it('a baseline jpeg keeps its codestream without Exif', async () => {
    const big = sharp({ create: { width: 40, height: 30, channels: 3, background: '#a05030' } });
    const exif = { IFD0: { Copyright: 'SecretPlace' } };
    const jpeg = await big.jpeg({ mozjpeg: false }).withExif(exif).toBuffer();
    expect(jpeg.includes('SecretPlace')).toBe(true);
    const { description, object, pixels } = await made('photo.jpg', jpeg);
    expect(description).toMatchObject({ transferSyntaxUid: '1.2.840.10008.1.2.4.50', lossy: true });
    expect(Buffer.from(object).includes('SecretPlace')).toBe(false);
    const theirs = await sharp(jpeg).raw().toBuffer();
    expect(pixels.length).toBe(theirs.length);
    expect(Math.max(...theirs.map((value, index) => Math.abs(value - (pixels[index] ?? -999))))).toBeLessThanOrEqual(1);
  });

  it('applies the Exif orientation', async () => {
    const sides = Uint8Array.from(
      { length: 16 * 8 * 3 },
      (_, index) => (Math.floor(index / 3) % 16 < 8 ? [250, 20, 20] : [20, 20, 250])[index % 3] ?? 0,
    );
    const jpeg = await sharp(sides, { raw: { width: 16, height: 8, channels: 3 } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { description, pixels } = await made('turned.jpg', jpeg);
    expect(description).toMatchObject({ rows: 16, columns: 8, photometricInterpretation: 'RGB', lossy: true });
    // Orientation 6: the left side of what is stored is at the top of what is seen.
    expect(pixels[0]).toBeGreaterThan(200);
    expect(pixels[pixels.length - 1]).toBeGreaterThan(200);
  });

  it.each([
    ['text', 'picture-damaged', async () => bytesOf('not a picture, but some bytes')],
    ['webp', 'picture-unsupported', async () => await fromRgb().webp().toBuffer()],
    [
      'a png that is cut off',
      'picture-damaged',
      async () =>
        (
          await sharp(colours, { raw: { width, height, channels: 3 } })
            .resize(300, 300)
            .png()
            .toBuffer()
        ).subarray(0, 600),
    ],
  ])('rejects %s: %s', async (name, code, bytes) => {
    const file = await saved(`bad ${name}`, await bytes());
    await expect(imaging.pictureToDicom({ path: file }, identity)).rejects.toMatchObject({ code });
  });
});

describe('thumbnails', () => {
  const dicom = (header: PictureHeader, pixels: Uint8Array) =>
    part10(bytesOf(pictureHeader(header), element(0x7fe00010, 'OB', pixels)));

  const thumbnailOf = async (name: string, object: Uint8Array, frame?: number) => {
    const file = await saved(name, object);
    const thumbnail = await imaging.thumbnail({ path: file }, { maxEdge: 50, frame }, 'usual');
    const { data, info } = await sharp(thumbnail.bytes).raw().toBuffer({ resolveWithObject: true });
    return { ...thumbnail, first: data[0] ?? -1, last: data.at(-1) ?? -1, info };
  };

  it('fit the longest edge, with the display of the header', async () => {
    const ramp = Uint8Array.from({ length: 100 * 60 }, (_, index) => index % 100);
    const plain = await thumbnailOf('ramp', dicom({ rows: 60, columns: 100 }, ramp));
    expect(plain).toMatchObject({ width: 50, height: 30, mediaType: 'image/jpeg' });
    expect(plain.info).toMatchObject({ width: 50, height: 30 });
    expect(plain.first).toBeLessThan(10);
    expect(plain.last).toBeGreaterThan(245);
    const inverted = await thumbnailOf('ramp1', dicom({ rows: 60, columns: 100, photometric: 'MONOCHROME1' }, ramp));
    expect(inverted.first).toBeGreaterThan(245);
  });

  it('are not larger than the picture, and apply the pixel aspect ratio', async () => {
    const small = await thumbnailOf('small', dicom({ rows: 4, columns: 10 }, new Uint8Array(40).fill(9)));
    expect(small).toMatchObject({ width: 10, height: 4 });
    const more = element(0x00280034, 'IS', '2\\1');
    const tall = await thumbnailOf('tall', dicom({ rows: 4, columns: 10, more }, new Uint8Array(40)));
    expect(tall).toMatchObject({ width: 10, height: 8 });
  });

  it('show the requested frame', async () => {
    const pixels = bytesOf(
      new Uint8Array(64).fill(0),
      Uint8Array.from({ length: 64 }, (_, index) => 100 + index),
    );
    const more = bytesOf(element(0x00281050, 'DS', '82'), element(0x00281051, 'DS', '164'));
    const object = dicom({ rows: 8, columns: 8, frames: 2, more }, pixels);
    expect((await thumbnailOf('frames', object, 0)).last).toBeLessThan(5);
    expect((await thumbnailOf('frames', object, 1)).last).toBeGreaterThan(200);
    await expect(thumbnailOf('frames', object, 2)).rejects.toMatchObject({ code: 'no-such-frame' });
  });

  it('throw for objects without a picture', async () => {
    const file = await saved('report', part10(element(0x00080060, 'CS', 'SR')));
    await expect(imaging.thumbnail({ path: file }, { maxEdge: 50 }, 'usual')).rejects.toMatchObject({
      code: 'no-pixel-data',
    });
  });
});

describe('inspecting', () => {
  it('returns problems instead of rejecting, and does not read files beyond the size limit', async () => {
    const small = createImaging({ workers: 1, maxFileBytes: 100 });
    const file = await saved('any', new Uint8Array(200));
    const { summary, problems } = await small.inspect({ path: file });
    await small.close();
    expect(summary).toBeNull();
    expect(problems).toEqual([{ code: 'too-large', detail: 'the file has 200 bytes, 100 are the limit' }]);
    expect((await readFile(file)).length).toBe(200);
  });

  it.each([
    ['an H.264 video, which it does not decode', '1.2.840.10008.1.2.4.102', []],
    [
      'an MPEG-2 video with its unsupported transfer syntax',
      '1.2.840.10008.1.2.4.100',
      ['transfer-syntax-unsupported'],
    ],
  ])('returns the identity of %s', async (_, transferSyntax, expected) => {
    const header = pictureHeader({ rows: 4, columns: 4, samples: 3, photometric: 'YBR_PARTIAL_420', frames: 90 });
    const video = part10(bytesOf(header, encapsulated([], [new Uint8Array(50)])), transferSyntax);
    const { summary, image, problems } = await imaging.inspect({ path: await saved('video', video) });
    expect(problems.map(({ code }) => code)).toEqual(expected);
    expect(summary?.instance.sopInstanceUid).toBe('1.2.3.4');
    expect(image).toMatchObject({ frames: 90, rows: 4 });
  });

  it('rejects when the file is missing', async () => {
    await expect(imaging.inspect({ path: path.join(folder, 'nowhere') })).rejects.toThrow('ENOENT');
  });
});
