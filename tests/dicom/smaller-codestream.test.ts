import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import { packValues } from '../../server/dicom/pack-values.ts';
import { bytesOf, encapsulated, type PictureHeader, part10, pictureHeader } from './build-dicom.ts';
import { codecs, greyFile, noisy, opened } from './greyscale-files.ts';

interface Size {
  readonly rows: number;
  readonly columns: number;
}

const even = (bytes: Uint8Array) => (bytes.length % 2 === 0 ? bytes : bytesOf(bytes, [0]));

const jpeg = async ({ rows, columns }: Size, channels: 1 | 3 = 1) => {
  const raw = noisy(new Uint8Array(rows * columns * channels), 40, 220);
  const picture = sharp(raw, { raw: { width: columns, height: rows, channels } });
  return even(
    new Uint8Array(
      await picture
        .toColourspace(channels === 1 ? 'b-w' : 'srgb')
        .jpeg({ quality: 95 })
        .toBuffer(),
    ),
  );
};

const packed = async (size: Size, values: Uint16Array) => {
  const { description } = opened(greyFile({ ...size, values, bitsStored: 12 }));
  const { payload } = await packValues(description, { ...size, samples: 1, bits: 12, pixels: values }, codecs);
  return even(payload);
};

const htj2k = (size: Size) => packed(size, noisy(new Uint16Array(size.rows * size.columns), 1, 4095));

const kinds = {
  jpeg: { syntax: '1.2.840.10008.1.2.4.50', encode: jpeg, header: {} },
  colour: {
    syntax: '1.2.840.10008.1.2.4.50',
    encode: (size: Size) => jpeg(size, 3),
    header: { samples: 3, photometric: 'YBR_FULL_422', planar: 0 },
  },
  htj2k: { syntax: '1.2.840.10008.1.2.4.201', encode: htj2k, header: { bits: 16, stored: 12 } },
} satisfies Readonly<
  Record<string, { syntax: string; encode: (size: Size) => Promise<Uint8Array>; header: Partial<PictureHeader> }>
>;

const described = { rows: 64, columns: 72 };

const fileOf = (kind: keyof typeof kinds, header: Size, codestreams: readonly Uint8Array[]) =>
  part10(
    bytesOf(
      pictureHeader({ ...kinds[kind].header, ...header, frames: codestreams.length }),
      encapsulated([], codestreams),
    ),
    kinds[kind].syntax,
  );

const decoded = (bytes: Uint8Array, frame = 0) => {
  const { file, description } = opened(bytes);
  return decodeFrame(description, encodedFrame(file, description, frame), codecs);
};

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'a codestream (%s) smaller than its header says',
  (kind) => {
    it.each([
      { rows: 40, columns: 72 },
      { rows: 64, columns: 50 },
      { rows: 40, columns: 50 },
    ])('has its own values at the top left, and 0 elsewhere: $rows x $columns', async (size) => {
      const codestream = await kinds[kind].encode(size);
      const whole = await decoded(fileOf(kind, size, [codestream]));
      const frame = await decoded(fileOf(kind, described, [codestream]));
      expect(frame).toMatchObject({ ...described, coded: size });
      expect(whole.coded).toBeUndefined();
      const { samples } = frame;
      const expected = new Uint16Array(described.rows * described.columns * samples);
      for (let row = 0; row < size.rows; row++)
        for (let at = 0; at < size.columns * samples; at++)
          expected[row * described.columns * samples + at] = whole.pixels[row * size.columns * samples + at] ?? 0;
      expect(Uint16Array.from(frame.pixels)).toEqual(expected);
    });

    it('is not decoded when it is larger', async () => {
      for (const size of [
        { rows: 65, columns: 72 },
        { rows: 64, columns: 73 },
      ])
        await expect(decoded(fileOf(kind, described, [await kinds[kind].encode(size)]))).rejects.toMatchObject({
          code: 'decode-failed',
        });
    });

    it('does not affect the other frames', async () => {
      const tiles = [await kinds[kind].encode(described), await kinds[kind].encode({ rows: 40, columns: 72 })];
      const file = fileOf(kind, described, tiles);
      expect((await decoded(file, 0)).coded).toBeUndefined();
      expect((await decoded(file, 1)).coded).toEqual({ rows: 40, columns: 72 });
    });
  },
);

describe('its rendition', () => {
  const made = async (bytes: Uint8Array, level: 'full' | 'reduced') =>
    readRendition((await makeRendition(opened(bytes), { frame: 0, level, skipConversion: false }, codecs)).bytes);

  it('names the size of the codestream where the values are converted', async () => {
    const header = { rows: 700, columns: 1300 };
    const size = { rows: 500, columns: 1300 };
    const file = fileOf('htj2k', header, [await htj2k(size)]);
    expect(await made(file, 'reduced')).toMatchObject({ level: 'reduced', coded: size, description: header });
    // The browser decodes the codestream of the file, and sees it.
    const full = await made(file, 'full');
    expect(full).toMatchObject({ kind: 'original', coded: null });
    expect((await decodeRendition(full, codecs)).coded).toEqual(size);
  });

  it('has the value range of the codestream, and no mean of its edge with what is empty', async () => {
    const header = { rows: 700, columns: 1300 };
    const size = { rows: 501, columns: 1299 };
    const bright = await packed(size, noisy(new Uint16Array(size.rows * size.columns), 500, 4095));
    const rendition = await made(fileOf('htj2k', header, [bright]), 'reduced');
    expect(rendition.range?.low).toBeGreaterThanOrEqual(500);
    const frame = await decodeRendition(rendition, codecs);
    const edge = frame.pixels.subarray(250 * frame.columns, 251 * frame.columns);
    expect(Math.min(...edge.subarray(0, 649))).toBeGreaterThanOrEqual(500);
    expect(Math.max(...frame.pixels.subarray(251 * frame.columns))).toBe(0);
  });
});
