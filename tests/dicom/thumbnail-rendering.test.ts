import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeRle } from '../../demo/rle.ts';
import { isColour, renderRgba } from '../../dicom/colour.ts';
import { decodeFrame } from '../../dicom/decode.ts';
import { defaultDisplay, renderGrey } from '../../dicom/grey.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { decodeReduced } from '../../server/dicom/decode-reduced.ts';
import { frameOf } from '../../server/dicom/make-rendition.ts';
import type { OpenedFile } from '../../server/dicom/opened-file.ts';
import { makeThumbnail } from '../../server/dicom/thumbnail.ts';
import { encodeHtj2k, encodeJpeg2000 } from '../../server/dicom/wasm-encoders.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from './corpus.ts';
import {
  bytesOf,
  columns,
  count,
  drawn,
  type Grey,
  greyObject,
  infoOf,
  objectOf,
  open,
  rows,
  type Syntax,
  syntaxes,
  valuesOf,
} from './drawn-objects.ts';

/*
 * A thumbnail is made from as little of the file as possible. It must look like one made from the full picture: all values decoded, windowed,
 * and scaled down once.
 */
const codecs = createCodecs();

const ofAllValues = async (opened: OpenedFile, size: { width: number; height: number }): Promise<Uint8Array> => {
  const { description, codestream } = frameOf(opened, 0);
  const frame = await decodeFrame(description, codestream, codecs);
  const colour = isColour(description);
  const pixels = colour
    ? renderRgba(description, frame, 0)
    : renderGrey(frame, defaultDisplay(description, 0, frame.pixels));
  const raw = { width: description.columns, height: description.rows, channels: colour ? (4 as const) : (1 as const) };
  const { width, height } = size;
  return await sharp(pixels, { raw, limitInputPixels: false })
    .resize({ width, height, fit: 'fill' })
    .flatten()
    .jpeg({ quality: 82 })
    .toBuffer();
};

const coloursOf = (jpeg: Uint8Array) => sharp(jpeg).toColourspace('srgb').raw().toBuffer();

const apart = (ours: Uint8Array, theirs: Uint8Array) => {
  expect(ours.length).toBe(theirs.length);
  const levels = ours.map((value, index) => Math.abs(value - (theirs[index] ?? 0)));
  const mean = levels.reduce((sum, value) => sum + value, 0) / levels.length;
  return { mean, far: (100 * levels.filter((value) => value > 24).length) / levels.length };
};

/**
 * How two ways of making a thumbnail differ, of 255 levels: `mean` pixel by pixel (a filter that is a little sharper shows here), `tone` in a
 * quarter of the size (what is brighter, darker, moved or of another colour shows here), `far` how many of a hundred of these differ by more than 24.
 */
const difference = async (opened: OpenedFile, maxEdge: number) => {
  const made = await makeThumbnail(opened, { maxEdge }, codecs);
  const other = await ofAllValues(opened, made);
  const pixels = await coloursOf(made.bytes);
  const quarter = async (jpeg: Uint8Array) => {
    const size = { width: Math.ceil(made.width / 4), height: Math.ceil(made.height / 4) };
    const small = sharp(jpeg)
      .toColourspace('srgb')
      .resize({ ...size, fit: 'fill', fastShrinkOnLoad: false });
    return await small.raw().toBuffer();
  };
  const tone = apart(await quarter(made.bytes), await quarter(other));
  return { mean: apart(pixels, await coloursOf(other)).mean, tone: tone.mean, far: tone.far, pixels };
};

/** The sizes that the archive makes, and far smaller ones, for which several resolutions are left out. */
const expectAlike = async (opened: OpenedFile, maxEdge: number) => {
  const { mean, tone, far, pixels } = await difference(opened, maxEdge);
  expect(mean).toBeLessThan(maxEdge < 300 ? 9 : 4);
  expect(tone).toBeLessThan(maxEdge < 300 ? 4.5 : 2);
  expect(far).toBeLessThan(1.5);
  return pixels;
};

const window = (centre: number, width: number): DataSet => ({ WindowCenter: centre, WindowWidth: width });
const hounsfield = { RescaleIntercept: -1000, RescaleSlope: 2, RescaleType: 'HU' };

const greyscale: Readonly<Record<string, Grey>> = {
  '12 bits': { bits: 12, more: window(1800, 2800) },
  '16 bits that low values make bright': { bits: 16, photometric: 'MONOCHROME1', more: window(30_000, 40_000) },
  'signed with a rescale': { bits: 12, signed: true, more: { ...hounsfield, ...window(-1000, 6000) } },
  'a narrow window': { bits: 12, more: window(2000, 300) },
  'an unnamed window': { bits: 12 },
  'padding with an unnamed window': { bits: 12, more: { PixelPaddingValue: 4095 } },
  '8 bits': { bits: 8, more: window(128, 200) },
};

describe('a thumbnail matches one made from all values', () => {
  for (const [name, grey] of Object.entries(greyscale)) {
    for (const syntax of Object.keys(syntaxes) as Syntax[]) {
      if (grey.signed && syntax === 'jpeg-lossless') continue;
      it(`${syntax}, ${name}`, async () => {
        const opened = await greyObject(syntax, grey);
        for (const maxEdge of [300, 100]) {
          await expectAlike(opened, maxEdge);
        }
      });
    }
  }

  const rgb = Uint8Array.from({ length: count * 3 }, (_, at) => {
    const value = drawn[Math.floor(at / 3)] ?? 0;
    return Math.round(255 * (at % 3 === 0 ? value : at % 3 === 1 ? 1 - value : value * value));
  });
  const eight = { BitsAllocated: 8, BitsStored: 8, HighBit: 7, PixelRepresentation: 0 };
  const colour = { SamplesPerPixel: 3, PhotometricInterpretation: 'RGB', PlanarConfiguration: 0, ...eight };

  it.each(['native', 'rle', 'jpeg-2000', 'htj2k', 'jpeg', 'jpeg with its chroma halved'])('colour, %s', async (how) => {
    const jpegOf = async (chromaSubsampling: string) => {
      const picture = sharp(rgb, { raw: { width: columns, height: rows, channels: 3 } });
      const frames = [new Uint8Array(await picture.jpeg({ quality: 92, chromaSubsampling }).toBuffer())];
      const photometric = { PhotometricInterpretation: 'YBR_FULL_422' };
      return objectOf({ ...colour, ...photometric, PixelData: { frames } }, TRANSFER_SYNTAX.jpegBaseline);
    };
    const info = infoOf({ bits: 8 }, 3);
    const makers: Readonly<Record<string, () => Promise<OpenedFile>>> = {
      native: async () => objectOf({ ...colour, PixelData: rgb }, syntaxes.native),
      rle: async () => objectOf({ ...colour, PixelData: { frames: [encodeRle(rgb, columns, 3)] } }, syntaxes.rle),
      'jpeg-2000': async () =>
        objectOf(
          {
            ...colour,
            PhotometricInterpretation: 'YBR_RCT',
            PixelData: { frames: [await encodeJpeg2000(rgb, info)] },
          },
          syntaxes['jpeg-2000'],
        ),
      htj2k: async () =>
        objectOf(
          {
            ...colour,
            PhotometricInterpretation: 'YBR_RCT',
            PixelData: { frames: [await encodeHtj2k(rgb, info)] },
          },
          syntaxes.htj2k,
        ),
      jpeg: () => jpegOf('4:4:4'),
      'jpeg with its chroma halved': () => jpegOf('4:2:0'),
    };
    const opened = await makers[how]?.();
    if (!opened) throw new Error(how);
    for (const maxEdge of [300, 100]) {
      await expectAlike(opened, maxEdge);
    }
  });

  it('8 bits in a JPEG, with and without a window, normal and inverted', async () => {
    const picture = sharp(valuesOf({ bits: 8 }) as Uint8Array, { raw: { width: columns, height: rows, channels: 1 } });
    const frames = [new Uint8Array(await picture.toColourspace('b-w').jpeg({ quality: 92 }).toBuffer())];
    for (const more of [window(128, 200), {}]) {
      for (const PhotometricInterpretation of ['MONOCHROME1', 'MONOCHROME2']) {
        const opened = objectOf(
          { SamplesPerPixel: 1, PhotometricInterpretation, ...eight, ...more, PixelData: { frames } },
          TRANSFER_SYNTAX.jpegBaseline,
        );
        const pixels = await expectAlike(opened, 100);
        const [left = 0, right = 0] = [pixels[0], pixels[99 * 3]];
        expect(left < right).toBe(PhotometricInterpretation === 'MONOCHROME2');
      }
    }
  });

  it('a palette, whose indices cannot be averaged', async () => {
    const indices = Uint8Array.from(drawn, (value) => Math.round(value * 255));
    // Neighbouring indices have colours far apart.
    const lookUp = (factor: number) => Uint8Array.from({ length: 256 }, (_, at) => at * factor);
    const palette = { firstInput: 0, red: lookUp(37), green: lookUp(101), blue: lookUp(53) };
    const words = { SamplesPerPixel: 1, PhotometricInterpretation: 'MONOCHROME2', ...eight };
    for (const syntax of ['native', 'htj2k'] as const) {
      const frames = [await encodeHtj2k(indices, infoOf({ bits: 8 }))];
      const grey = objectOf({ ...words, PixelData: syntax === 'native' ? indices : { frames } }, syntaxes[syntax]);
      const description = { ...grey.description, palette, photometricInterpretation: 'PALETTE COLOR' } as const;
      const opened = { file: grey.file, description };
      expect((await difference(opened, 100)).mean).toBe(0);
    }
  });
});

describe('a lower resolution', () => {
  it('is used to decode JPEG 2000 and HTJ2K', async () => {
    for (const syntax of ['jpeg-2000', 'htj2k'] as const) {
      const { description, codestream } = frameOf(await greyObject(syntax, { bits: 12, more: window(1800, 2800) }), 0);
      expect(await decodeReduced(description, codestream, 300, codecs)).toMatchObject({ rows: 210, columns: 320 });
      expect(await decodeReduced(description, codestream, 100, codecs)).toMatchObject({ rows: 105, columns: 160 });
      expect(await decodeReduced(description, codestream, 400, codecs)).toBeNull();
      // A codestream with another header is rejected by the decoder of full frames.
      expect(await decodeReduced({ ...description, rows: 9 }, codestream, 100, codecs)).toBeNull();
      expect(await decodeReduced({ ...description, signed: true }, codestream, 100, codecs)).toBeNull();
    }
  });

  it('overshoots at hard edges without wrapping white to black', async () => {
    const edges = Uint16Array.from({ length: count }, (_, at) =>
      (Math.floor((at % columns) / 3) + Math.floor(at / columns / 5)) % 2 ? 4095 : 0,
    );
    for (const [encode, syntax] of [
      [encodeJpeg2000, syntaxes['jpeg-2000']],
      [encodeHtj2k, syntaxes.htj2k],
    ] as const) {
      const frames = [await encode(bytesOf(edges), infoOf({ bits: 12 }))];
      const twelve = { BitsAllocated: 16, BitsStored: 12, HighBit: 11, PixelRepresentation: 0 };
      const opened = objectOf(
        { SamplesPerPixel: 1, PhotometricInterpretation: 'MONOCHROME2', ...twelve, PixelData: { frames } },
        syntax,
      );
      const { description, codestream } = frameOf(opened, 0);
      const whole = await decodeFrame(description, codestream, codecs);
      expect(whole.pixels).toEqual(edges);
      const half = await decodeReduced(description, codestream, 300, codecs);
      if (!half) throw new Error('no lower resolution');
      let inverted = 0;
      for (let row = 0; row < half.rows; row++) {
        for (let column = 0; column < half.columns; column++) {
          const value = half.pixels[row * half.columns + column] ?? -1;
          expect(value).toBeLessThanOrEqual(4095);
          // Where the value and all its neighbours are white, so is the lower resolution; black likewise.
          const around = [-1, 0, 1].flatMap((dy) =>
            [-1, 0, 1].map((dx) => edges[Math.min(rows - 1, Math.max(0, row * 2 + dy)) * columns + column * 2 + dx]),
          );
          if (around.every((one) => one === 4095) && value < 2048) inverted++;
          if (around.every((one) => one === 0) && value > 2048) inverted++;
        }
      }
      expect(inverted).toBe(0);
    }
  });
});

describe.runIf(corpusIsThere)('real files', () => {
  it.each(corpusFiles())('%s', async (name) => {
    let opened: OpenedFile | null = null;
    try {
      opened = open(corpusBytes(name));
    } catch {
      // Unreadable files are tested elsewhere.
    }
    if (!opened) return;
    const codeOf = async (work: () => Promise<unknown>) => {
      try {
        await work();
        return null;
      } catch (error) {
        return (error as { code?: string }).code ?? String(error);
      }
    };
    const { width, height } = { width: 20, height: 20 };
    const ours = await codeOf(() => makeThumbnail(opened, { maxEdge: 400 }, codecs));
    expect(ours).toBe(await codeOf(() => ofAllValues(opened, { width, height })));
    if (ours !== null) return;
    for (const maxEdge of [400, 100]) {
      await expectAlike(opened, maxEdge);
    }
  });
});
