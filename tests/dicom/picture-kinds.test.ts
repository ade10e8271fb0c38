import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectPicture } from '../../server/dicom/inspect-picture.ts';
import { readPicture } from '../../server/dicom/picture-pixels.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-picture-kinds-'));
});
afterAll(() => rm(folder, { recursive: true }));

const inspect = async (bytes: Uint8Array) => {
  const file = path.join(folder, `${Math.random()}`);
  await writeFile(file, bytes);
  return inspectPicture({ path: file }, 2 ** 30);
};

const [width, height] = [5, 3];
const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Exif (CIPA DC-008 4.6.4 A): maps a displayed pixel (x, y) to its stored position. */
const storedAt = (orientation: number, x: number, y: number): readonly [number, number] => {
  const [right, below] = [width - 1, height - 1];
  const places: Readonly<Record<number, readonly [number, number]>> = {
    1: [x, y],
    2: [right - x, y],
    3: [right - x, below - y],
    4: [x, below - y],
    5: [y, x],
    6: [y, below - x],
    7: [right - y, below - x],
    8: [right - y, x],
  };
  return places[orientation] ?? [x, y];
};

const upright = (orientation: number, stored: ArrayLike<number>, channels: number): number[] => {
  const [wide, high] = orientation > 4 ? [height, width] : [width, height];
  return Array.from({ length: wide * high * channels }, (_, index) => {
    const [pixel, channel] = [Math.floor(index / channels), index % channels];
    const [x, y] = storedAt(orientation, pixel % wide, Math.floor(pixel / wide));
    return stored[(y * width + x) * channels + channel] ?? -1;
  });
};

const grey = Uint8Array.from({ length: width * height }, (_, index) => index * 17);
const wide = Uint16Array.from({ length: width * height }, (_, index) => index * 4000 + 3);
const colours = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 37) % 256);
const raw = (channels: 1 | 3) => ({ raw: { width, height, channels } });

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
};

/** Behind the header of a png, which is 33 bytes long. */
const withChunk = (png: Buffer, type: string, body: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk(type, body), png.subarray(33)]);

/** One directory of one entry: Orientation (0x0112), a SHORT. */
const exifOf = (orientation: number): Buffer =>
  Buffer.from(`49492a0008000000010012010300010000000${orientation}00000000000000`, 'hex');

describe.each(orientations)('Exif orientation %i', (orientation) => {
  const size = orientation > 4 ? { rows: width, columns: height } : { rows: height, columns: width };

  it('rotates 8-bit greyscale', async () => {
    const picture = sharp(grey, raw(1)).toColourspace('b-w').png().withMetadata({ orientation });
    const read = await readPicture(await picture.toBuffer());
    expect(read).toMatchObject({ kind: 'grey', bits: 8, ...size, lossyMethod: null });
    expect(read.kind === 'grey' && [...read.pixels]).toEqual(upright(orientation, grey, 1));
  });

  it('rotates 16-bit greyscale without loss', async () => {
    const png = await sharp(wide, raw(1)).toColourspace('grey16').png().toBuffer();
    // By hand: with its own orientation, sharp writes 8 bits.
    const read = await readPicture(withChunk(png, 'eXIf', exifOf(orientation)));
    expect(read).toMatchObject({ kind: 'grey', bits: 16, ...size, lossyMethod: null });
    expect(read.kind === 'grey' && [...read.pixels]).toEqual(upright(orientation, wide, 1));
  });

  it('rotates colour', async () => {
    const read = await readPicture(await sharp(colours, raw(3)).png().withMetadata({ orientation }).toBuffer());
    expect(read).toMatchObject({ kind: 'rgb', ...size, lossyMethod: null });
    expect(read.kind === 'rgb' && [...read.pixels]).toEqual(upright(orientation, colours, 3));
  });

  it('rotates a jpeg', async () => {
    const blocks = await sharp(colours, raw(3))
      .resize(width * 8, height * 8, { kernel: 'nearest' })
      .toBuffer();
    const jpeg = await sharp(blocks, { raw: { width: width * 8, height: height * 8, channels: 3 } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation })
      .toBuffer();
    const read = await readPicture(jpeg);
    expect(read).toMatchObject({ rows: size.rows * 8, columns: size.columns * 8 });
    const seen =
      read.kind === 'jpeg' ? await sharp(read.codestream).raw().toBuffer() : read.kind === 'rgb' ? read.pixels : [];
    const expected = upright(orientation, colours, 3);
    for (const [index, value] of expected.entries()) {
      const [pixel, channel] = [Math.floor(index / 3), index % 3];
      const [x, y] = [(pixel % size.columns) * 8 + 4, Math.floor(pixel / size.columns) * 8 + 4];
      expect(Math.abs((seen[(y * size.columns * 8 + x) * 3 + channel] ?? -99) - value)).toBeLessThan(6);
    }
  });
});

describe('pictures of every kind', () => {
  const photo = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#a05030' } });

  it.each([
    ['progressive', () => photo().jpeg({ progressive: true }).toBuffer()],
    ['CMYK', () => photo().toColourspace('cmyk').jpeg().toBuffer()],
    ['baseline', () => photo().jpeg().toBuffer()],
    ['grey', () => photo().greyscale().jpeg().toBuffer()],
    ['with a palette', () => photo().png({ palette: true }).toBuffer()],
    ['interlaced', () => photo().png({ progressive: true }).toBuffer()],
    ['transparent', () => photo().ensureAlpha(0.5).png().toBuffer()],
    ['16 bits a colour', () => photo().toColourspace('rgb16').png().toBuffer()],
  ])('%s are read', async (_, make) => {
    expect(await inspect(await make())).toMatchObject({ width: 40, height: 30 });
  });

  it('CMYK is converted to the correct colours', async () => {
    const read = await readPicture(await photo().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer());
    if (read.kind !== 'rgb') throw new Error(read.kind);
    const seen = [...read.pixels.subarray(0, 3)];
    for (const [index, value] of [0xa0, 0x50, 0x30].entries()) {
      expect(Math.abs((seen[index] ?? -99) - value)).toBeLessThan(40);
    }
  });
});

describe('acquisition date of a picture', () => {
  const withDate = (date: string, format: 'jpeg' | 'png' = 'jpeg') =>
    sharp(colours, raw(3))
      .toFormat(format)
      .withExif({ IFD0: { DateTime: '2021:01:01 00:00:00' }, IFD2: { DateTimeOriginal: date } })
      .toBuffer();

  it.each(['jpeg', 'png'] as const)('is read from Exif as local time of the camera: %s', async (format) => {
    expect((await inspect(await withDate('2024:05:06 07:08:09', format))).acquiredAt).toBe('2024-05-06T07:08:09');
  });

  it.each([
    ['0000:00:00 00:00:00'],
    ['1970:01:01 00:00:00'],
    ['2999:01:01 00:00:00'],
    ['2024:13:40 99:99:99'],
    ['yes'],
  ])('is null when Exif contains %s', async (date) => {
    expect((await inspect(await withDate(date))).acquiredAt).toBeNull();
  });

  it('is null without Exif or with damaged Exif', async () => {
    expect((await inspect(await sharp(colours, raw(3)).png().toBuffer())).acquiredAt).toBeNull();
    const jpeg = await withDate('2024:05:06 07:08:09');
    const at = jpeg.indexOf('Exif') + 10;
    for (let place = at; place < at + 60; place++) {
      const damaged = Buffer.from(jpeg);
      damaged[place] = 0xff;
      expect((await inspect(damaged)).acquiredAt ?? '2024-05-06T07:08:09').toBe('2024-05-06T07:08:09');
    }
  });
});

describe('a picture that claims to be huge', () => {
  const png = (side: number, data: Buffer): Buffer => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(side, 0);
    header.writeUInt32BE(side, 4);
    header.set([8, 0, 0, 0, 0], 8);
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
  };
  const jpegOf = async (side: number): Promise<Buffer> => {
    const jpeg = await sharp(colours, raw(3)).jpeg().toBuffer();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(side, frame + 5);
    jpeg.writeUInt16BE(side, frame + 7);
    return jpeg;
  };

  it.each([
    ['a png without pixel data', async () => png(60_000, deflateSync(Buffer.alloc(10)))],
    ['a png that unpacks to its full size', async () => png(11_000, deflateSync(Buffer.alloc(11_000 * 11_001)))],
    ['a jpeg', () => jpegOf(60_000)],
    ['a smaller jpeg', () => jpegOf(9000)],
  ])('is rejected without allocating memory: %s', async (_, make) => {
    const bytes = await make();
    const before = process.memoryUsage().rss;
    await expect(inspect(bytes)).rejects.toMatchObject({ code: 'picture-unsupported' });
    expect(process.memoryUsage().rss - before).toBeLessThan(30e6);
  });
});
