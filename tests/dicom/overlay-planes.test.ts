import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../dicom/decode.ts';
import { encodedFrame } from '../../dicom/frames.ts';
import { type OverlayPlane, overlayPlanesOf } from '../../dicom/overlay-planes.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { makeRendition } from '../../server/dicom/make-rendition.ts';
import {
  bytesOf,
  element,
  explicitBig,
  explicitLittle,
  type PictureHeader,
  part10,
  pictureHeader,
  type Syntax,
  us,
  words,
} from './build-dicom.ts';
import { corpusBytes, corpusIsThere } from './corpus.ts';
import { codecs, opened } from './greyscale-files.ts';

const tag = (group: number, number: number) => ((group << 16) | number) >>> 0;

interface Plane {
  readonly group?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly type?: string;
  /** Row and column of the first pixel, from 1. */
  readonly origin?: readonly [number, number];
  readonly frames?: number;
  readonly frameOrigin?: number;
  readonly bitsAllocated?: number;
  readonly bitPosition?: number;
  readonly data?: readonly number[];
  readonly vr?: 'OB' | 'OW';
}

const planeElements = (plane: Plane, syntax: Syntax = explicitLittle) => {
  const { group = 0x6000, rows = 2, columns = 3, type = 'G', origin = [1, 1], vr = 'OW' } = plane;
  return bytesOf(
    us(tag(group, 0x10), rows, syntax),
    us(tag(group, 0x11), columns, syntax),
    plane.frames === undefined ? [] : element(tag(group, 0x15), 'IS', String(plane.frames), syntax),
    element(tag(group, 0x40), 'CS', type, syntax),
    element(tag(group, 0x50), 'SS', words(origin, syntax), syntax),
    plane.frameOrigin === undefined ? [] : us(tag(group, 0x51), plane.frameOrigin, syntax),
    us(tag(group, 0x100), plane.bitsAllocated ?? 1, syntax),
    us(tag(group, 0x102), plane.bitPosition ?? 0, syntax),
    plane.data ? element(tag(group, 0x3000), vr, plane.data, syntax) : [],
  );
};

/** A file of 4 by 4 pixels with these planes. */
const fileWith = (
  planes: readonly Plane[],
  {
    syntax = explicitLittle,
    values = new Array(16).fill(7),
    ...header
  }: Partial<PictureHeader> & {
    readonly syntax?: Syntax;
    readonly values?: readonly number[];
  } = {},
) =>
  part10(
    bytesOf(
      pictureHeader({ rows: 4, columns: 4, bits: 16, stored: 12, ...header }, syntax),
      ...planes.map((plane) => planeElements(plane, syntax)),
      element(0x7fe00010, 'OW', words(values, syntax), syntax),
    ),
    syntax === explicitBig ? '1.2.840.10008.1.2.2' : '1.2.840.10008.1.2.1',
  );

const planesOf = (bytes: Uint8Array, frame = 0) => {
  const { file, description } = opened(bytes);
  return overlayPlanesOf(file, description, frame, encodedFrame(file, description, frame));
};

/** The marked pixels of a plane as "x,y". */
const markedPixels = ({ x, y, width, height, bits }: OverlayPlane) =>
  Array.from({ length: width * height }, (_, at) => at)
    .filter((at) => ((bits[at >> 3] ?? 0) >> (at & 7)) & 1)
    .map((at) => `${x + (at % width)},${y + Math.floor(at / width)}`);

const marked = (bytes: Uint8Array, frame = 0) => planesOf(bytes, frame).planes.map(markedPixels);

describe('overlay planes', () => {
  it('are none in a file without', () => {
    expect(planesOf(fileWith([]))).toEqual({ planes: [], incomplete: 0 });
  });

  it('have their bits row by row without padding, from the least significant one', () => {
    // x..  .xx
    expect(marked(fileWith([{ data: [0b110001, 0] }]))).toEqual([['0,0', '1,1', '2,1']]);
  });

  it('are read from all groups, graphics and regions of interest', () => {
    const groups = [0x6000, 0x6002, 0x601e].map((group) => ({
      group,
      data: [1, 0],
      type: group === 0x6002 ? 'R' : 'G',
    }));
    const { planes } = planesOf(fileWith(groups));
    expect(planes.map(({ kind }) => kind)).toEqual(['graphics', 'roi', 'graphics']);
  });

  it('begin at their origin, row first', () => {
    expect(marked(fileWith([{ data: [1, 0], origin: [3, 2] }]))).toEqual([['1,2']]);
  });

  it('are cut at the edge of the image, and a marked part outside is counted', () => {
    const full = [0b111111, 0];
    expect(marked(fileWith([{ data: full, origin: [0, -1] }]))).toEqual([['0,0']]);
    expect(planesOf(fileWith([{ data: full, origin: [0, -1] }])).incomplete).toBe(1);
    expect(marked(fileWith([{ data: full, origin: [4, 3] }]))).toEqual([['2,3', '3,3']]);
    expect(planesOf(fileWith([{ data: full, origin: [9, 9] }]))).toEqual({ planes: [], incomplete: 1 });
    // Nothing marked is outside: the plane is whole.
    expect(planesOf(fileWith([{ data: [0b100000, 0], origin: [0, 0] }])).incomplete).toBe(0);
  });

  it('that mark nothing are left out', () => {
    expect(planesOf(fileWith([{ data: [0, 0] }]))).toEqual({ planes: [], incomplete: 0 });
  });

  it('of a big endian file are read in words, unless they are bytes', () => {
    const big = (data: readonly number[], vr: 'OB' | 'OW') =>
      marked(fileWith([{ rows: 4, columns: 4, data, vr }], { syntax: explicitBig }));
    expect(big([0, 1], 'OW')).toEqual([['0,0']]);
    expect(big([1, 0], 'OB')).toEqual([['0,0']]);
  });

  it('belong to the frames that they name; a single one without a name to all', () => {
    const film = (plane: Plane) => {
      const bytes = fileWith([plane], { frames: 3, values: new Array(48).fill(7) });
      return [0, 1, 2].map((frame) => marked(bytes, frame).flat().join(' '));
    };
    // Three frames of six bits: 1, then 2, then 4.
    expect(film({ frames: 3, data: [0b10000001, 0b01000000, 0] })).toEqual(['0,0', '1,0', '2,0']);
    expect(film({ frames: 2, frameOrigin: 2, data: [0b10000001, 0] })).toEqual(['', '0,0', '1,0']);
    expect(film({ frameOrigin: 3, data: [1, 0] })).toEqual(['', '', '0,0']);
    expect(film({ data: [1, 0] })).toEqual(['0,0', '0,0', '0,0']);
  });

  it.each([
    ['data too short', { rows: 4, columns: 5, data: [255, 255] }],
    ['data too short for its frames', { frames: 2, frameOrigin: 1, data: [1, 0], rows: 3, columns: 4 }],
    ['no data', {}],
    ['no columns', { columns: 0, data: [255, 255] }],
    ['more than one bit per pixel in its own data', { bitsAllocated: 8, data: [1, 0, 1, 0, 1, 0] }],
    ['embedded among the grey values', { rows: 4, columns: 4, bitsAllocated: 16, bitPosition: 11 }],
    ['embedded outside the pixel cell', { rows: 4, columns: 4, bitsAllocated: 16, bitPosition: 16 }],
  ] satisfies readonly (readonly [string, Plane])[])('that are damaged are counted, not drawn: %s', (_, plane) => {
    const multi = 'frames' in plane;
    const bytes = fileWith([plane], multi ? { frames: 2, values: new Array(32).fill(7) } : {});
    expect(planesOf(bytes, multi ? 1 : 0)).toEqual({ planes: [], incomplete: 1 });
  });
});

describe('an overlay plane in the high bits of the pixels', () => {
  const values = Array.from({ length: 16 }, (_, at) => at * 250 + (at === 5 ? 0x8000 : 0) + (at === 10 ? 0x1000 : 0));
  const embedded = (bitPosition: number, more: Plane = {}): Plane => ({
    rows: 4,
    columns: 4,
    bitsAllocated: 16,
    bitPosition,
    ...more,
  });

  it('is read from its bit, in both byte orders', () => {
    for (const syntax of [explicitLittle, explicitBig]) {
      const bytes = fileWith([embedded(15), embedded(12, { group: 0x6002, type: 'R' })], { values, syntax });
      expect(marked(bytes)).toEqual([['1,1'], ['2,2']]);
    }
  });

  it('marks only pixels of its rectangle', () => {
    expect(marked(fileWith([embedded(15, { rows: 1, origin: [2, 1] })], { values }))).toEqual([['1,1']]);
    expect(marked(fileWith([embedded(15, { rows: 1 })], { values }))).toEqual([]);
  });

  it('takes no longer than its image when it claims the most rows and columns', () => {
    const claimed = Array.from({ length: 16 }, (_, at) =>
      embedded(15, { group: 0x6000 + 2 * at, rows: 0xffff, columns: 0xffff }),
    );
    expect(marked(fileWith(claimed, { values }))).toEqual(claimed.map(() => ['1,1']));
  });

  it('does not change the grey values', async () => {
    const { file, description } = opened(fileWith([embedded(15), embedded(12, { group: 0x6002 })], { values }));
    const { pixels } = await decodeFrame(description, encodedFrame(file, description, 0), codecs);
    expect([...pixels]).toEqual(values.map((value) => value & 0xfff));
  });

  it('is counted as damaged in compressed pixels, which do not hold it', () => {
    const { file, description } = opened(fileWith([embedded(15)], { values }));
    const compressed = { ...description, transferSyntaxUid: '1.2.840.10008.1.2.4.70' };
    expect(overlayPlanesOf(file, compressed, 0, new Uint8Array())).toEqual({ planes: [], incomplete: 1 });
  });
});

describe('a rendition', () => {
  const side = 1400;
  const bits = new Uint8Array((side * side) / 8);
  bits[0] = 1;
  bits[bits.length - 1] = 0x80;
  const large = (planes: readonly Plane[]) =>
    part10(
      bytesOf(
        pictureHeader({ rows: side, columns: side, bits: 16, stored: 12 }),
        ...planes.map((plane) => planeElements({ rows: side, columns: side, ...plane })),
        element(
          0x7fe00010,
          'OW',
          new Uint8Array(Uint16Array.from({ length: side * side }, (_, at) => at & 0xfff).buffer),
        ),
      ),
    );
  const withPlane = large([{ data: [...bits] }]);
  const without = large([]);

  it.each(['full', 'reduced'] as const)('of the %s level has the planes in full image pixels', async (level) => {
    const made = async (bytes: Uint8Array) =>
      readRendition((await makeRendition(opened(bytes), { frame: 0, level, skipConversion: false }, codecs)).bytes);
    const rendition = await made(withPlane);
    expect(rendition.level).toBe(level);
    expect(rendition.overlayPlanes.planes.map(markedPixels)).toEqual([['0,0', `${side - 1},${side - 1}`]]);
    // The values are those of the file without a plane.
    const plain = await decodeRendition(await made(without), codecs);
    expect(
      Buffer.compare(
        Buffer.from((await decodeRendition(rendition, codecs)).pixels.buffer),
        Buffer.from(plain.pixels.buffer),
      ),
    ).toBe(0);
  });
});

describe.runIf(corpusIsThere)('a file of a scanner', () => {
  it('has its overlay plane', () => {
    const { planes, incomplete } = planesOf(corpusBytes('explicit-le/MR-SIEMENS-DICOM-WithOverlays.dcm'));
    expect(incomplete).toBe(0);
    const indices = planes.flatMap(markedPixels).map((pixel) => {
      const [x = 0, y = 0] = pixel.split(',').map(Number);
      return y * 484 + x;
    });
    // Those that dcm2pnm of DCMTK 3.6.7 draws.
    expect(indices).toHaveLength(323);
    expect(indices.reduce((sum, index) => sum + index, 0)).toBe(49430995);
  });
});
