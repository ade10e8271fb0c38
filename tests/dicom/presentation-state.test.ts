import { describe, expect, it } from 'vitest';
import type { PresentationState } from '../../contract/presentation-states.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { greyOf, modalityValue, voiValue } from '../../dicom/grey.ts';
import type { Modality } from '../../dicom/image-model.ts';
import { readPresentationState, type StateImage } from '../../dicom/presentation-state/read-state.ts';
import { referencedImages } from '../../dicom/presentation-state/references.ts';
import { shownGreyOf } from '../../dicom/presentation-state/shown-grey.ts';
import { bytesOf, element, us, words } from './build-dicom.ts';
import {
  annotationItem,
  type Bitmap,
  bitmapShutter,
  layerItem,
  overlayElements,
  references,
  type State,
  sequence,
  stateFile,
  tableItem,
} from './build-state.ts';
import { corpusBytes, corpusIsThere } from './corpus.ts';
import { opened } from './greyscale-files.ts';

const image: StateImage = { sopInstanceUid: '2.25.1001', columns: 8, rows: 6 };

const readFrom = (bytes: Uint8Array, of: StateImage = image) => readPresentationState(readDicomFile(bytes).dataSet, of);

const read = (state: State, of?: StateImage) => {
  const found = readFrom(stateFile(state), of);
  if (!found) throw new Error('the state does not refer to the image');
  return found;
};

const is = (...values: readonly number[]) => values.join('\\');

describe('the identification of a state', () => {
  it('names label, description, creator and time, in the character set of the file', () => {
    expect(read({ label: 'ENDO', description: 'Före rotfyllning' })).toMatchObject({
      label: 'ENDO',
      creator: 'Ek^Åsa',
      createdAt: '2026-03-14T10:15:00',
      notShown: [],
    });
  });

  it('is null for an image that it does not refer to', () => {
    expect(readFrom(stateFile({ images: [['2.25.77']] }))).toBeNull();
  });

  it('keeps the frames it is for, of all references to the image', () => {
    expect(read({ images: [['2.25.1001', [2, 3]]] }).frames).toEqual([2, 3]);
    expect(
      read({
        images: [
          ['2.25.1001', [2]],
          ['2.25.1001', [5]],
        ],
      }).frames,
    ).toEqual([2, 5]);
    expect(read({ images: [['2.25.1001', [2]], ['2.25.1001']] }).frames).toBeNull();
  });
});

describe('annotations', () => {
  const line = { type: 'POLYLINE', points: [0, 0, 8, 6] };

  it('keep image points: 0, 0 is the corner of the first pixel', () => {
    const { annotations } = read({
      annotations: [annotationItem('A', [line, { type: 'CIRCLE', points: [2.5, 3, 4, 3], filled: true }])],
    });
    expect(annotations).toEqual([
      {
        frames: null,
        colour: null,
        graphics: [
          {
            kind: 'polyline',
            points: [
              [0, 0],
              [8, 6],
            ],
            filled: false,
          },
          {
            kind: 'circle',
            points: [
              [2.5, 3],
              [4, 3],
            ],
            filled: true,
          },
        ],
        texts: [],
      },
    ]);
  });

  it.each([
    // Screen positions of a mark in the first quarter of the picture's width, a tenth of its height.
    [0, false, [2, 0.6]],
    [90, false, [0.8, 4.5]],
    [180, false, [6, 5.4]],
    [270, false, [7.2, 1.5]],
    [0, true, [6, 0.6]],
    [90, true, [0.8, 1.5]],
    [180, true, [2, 5.4]],
    [270, true, [7.2, 4.5]],
  ])('in units of the display are placed where the screen shows them: %i°, flipped %s', (rotation, flip, at) => {
    const { annotations } = read({
      rotation,
      flip,
      annotations: [annotationItem('A', [{ type: 'POINT', points: [0.25, 0.1], units: 'DISPLAY' }])],
    });
    const [x, y] = annotations[0]?.graphics[0]?.points[0] ?? [];
    expect(x).toBeCloseTo(at[0] ?? 0);
    expect(y).toBeCloseTo(at[1] ?? 0);
  });

  it('in units of the display are relative to the displayed area', () => {
    const { annotations, notShown } = read({
      area: [3, 2, 6, 5],
      annotations: [annotationItem('A', [{ type: 'POINT', points: [0.5, 0.25], units: 'DISPLAY' }])],
    });
    expect(annotations[0]?.graphics[0]?.points).toEqual([[4, 2]]);
    expect(notShown).toEqual([]);
  });

  it('are ordered by layer, with the colour that the layer recommends', () => {
    const { annotations } = read({
      layers: [
        layerItem('TOP', 2, us(0x00700067, [0xffff, 0, 0])),
        layerItem('LOW', 1, us(0x00700066, 0x8080)),
        // CIELab of the sRGB green (PS3.3 C.10.7.1.1).
        layerItem('LAB', 3, us(0x00700401, [57553, 12463, 53603])),
      ],
      annotations: [annotationItem('TOP', [line]), annotationItem('LOW', [line]), annotationItem('LAB', [line])],
    });
    expect(annotations.map(({ colour }) => colour)).toEqual([
      '#808080',
      '#ff0000',
      expect.stringMatching(/^#0[0-3]f[d-f]0[0-5]$/),
    ]);
  });

  it('are those of the image and its frames', () => {
    const { annotations } = read({
      annotations: [
        annotationItem('A', [line], [], references('2.25.77')),
        annotationItem('A', [line], [], references('2.25.1001', [4])),
      ],
    });
    expect(annotations.map(({ frames }) => frames)).toEqual([[4]]);
  });

  it('have texts with a box, an anchor or both', () => {
    const { annotations, notShown } = read({
      annotations: [
        annotationItem(
          'A',
          [],
          [
            { text: 'One\r\ntwo', box: [1, 1, 4, 3], align: 'RIGHT', anchor: [5, 5], anchored: true },
            { text: 'At a point', anchor: [2, 2] },
            { text: 'Nowhere' },
          ],
        ),
      ],
    });
    expect(annotations[0]?.texts).toEqual([
      {
        text: 'One\ntwo',
        box: [
          [1, 1],
          [4, 3],
        ],
        align: 'right',
        anchor: [5, 5],
        isAnchored: true,
      },
      { text: 'At a point', box: null, align: 'left', anchor: [2, 2], isAnchored: false },
    ]);
    expect(notShown).toEqual(['annotations']);
  });

  it.each([
    ['of an unknown type', { type: 'SPLINE', points: [0, 0, 1, 1] }],
    ['with too few points', { type: 'ELLIPSE', points: [0, 0, 1, 1] }],
    ['with a coordinate that is no number', { type: 'POLYLINE', points: [0, 0, Number.NaN, 1] }],
    ['in unknown units', { type: 'POLYLINE', points: [0, 0, 1, 1], units: 'MATRIX' }],
  ])('%s are left out and named', (_, graphic) => {
    const { annotations, notShown } = read({ annotations: [annotationItem('A', [graphic, line])] });
    expect(annotations[0]?.graphics).toHaveLength(1);
    expect(notShown).toEqual(['annotations']);
  });

  it('are limited in number', () => {
    const many = annotationItem('A', new Array(1001).fill(line));
    const { annotations, notShown } = read({ annotations: [many, many] });
    expect(annotations).toHaveLength(1);
    expect(notShown).toEqual(['annotations']);
  });
});

describe('shutters', () => {
  it('leave the pixels of their edges visible', () => {
    const { shutters, shutterColour, notShown } = read({
      shutter: bytesOf(
        element(0x00181600, 'CS', 'RECTANGULAR\\CIRCULAR\\POLYGONAL'),
        element(0x00181602, 'IS', '2'),
        element(0x00181604, 'IS', '7'),
        element(0x00181606, 'IS', '1'),
        element(0x00181608, 'IS', '5'),
        element(0x00181610, 'IS', is(3, 4)),
        element(0x00181612, 'IS', '2'),
        element(0x00181620, 'IS', is(1, 1, 1, 8, 6, 8)),
        us(0x00181622, 0xffff),
      ),
    });
    expect(shutters).toEqual([
      { shape: 'rectangle', from: [1, 0], to: [7, 5] },
      { shape: 'circle', centre: [3.5, 2.5], radius: 2.5 },
      {
        shape: 'polygon',
        points: [
          [0.5, 0.5],
          [7.5, 0.5],
          [7.5, 5.5],
        ],
      },
    ]);
    expect([shutterColour, notShown]).toEqual(['#ffffff', []]);
  });

  it.each(['BITMAP', 'RECTANGULAR', 'CIRCULAR', 'POLYGONAL'])('of shape %s without its values is named', (shape) => {
    const { shutters, notShown } = read({ shutter: element(0x00181600, 'CS', shape) });
    expect([shutters, notShown]).toEqual([[], ['bitmap-shutter']]);
  });
});

describe('a bitmap shutter', () => {
  const withBitmap = (bitmap: Bitmap, group = bitmap.group) =>
    read({ shutter: bitmapShutter(group), overlays: overlayElements(bitmap) });

  it('covers the marked pixels in its colour, and is no overlay', () => {
    const {
      bitmapShutter: bitmap,
      shutterColour,
      notShown,
    } = withBitmap({
      group: 0x6002,
      rows: ['........', '..xx.x..', '...x.x..', '........', '........', '........'],
    });
    // Rows 2 and 3, columns 3 to 6: xx.x and .x.x.
    expect(bitmap).toEqual({ x: 2, y: 1, width: 4, height: 2, runs: [0, 2, 1, 1, 1, 1, 1, 1] });
    expect([shutterColour, notShown]).toEqual(['#808080', []]);
  });

  it('begins at its origin, and covers nothing beside the image', () => {
    const rows = ['xx', 'xx'];
    expect(withBitmap({ origin: [6, 8], rows }).bitmapShutter).toEqual({
      x: 7,
      y: 5,
      width: 1,
      height: 1,
      runs: [0, 1],
    });
    expect(withBitmap({ origin: [0, 0], rows }).bitmapShutter).toEqual({
      x: 0,
      y: 0,
      width: 1,
      height: 1,
      runs: [0, 1],
    });
    expect(withBitmap({ origin: [20, 20], rows })).toMatchObject({ bitmapShutter: null, notShown: [] });
  });

  it('that marks nothing covers nothing', () => {
    expect(withBitmap({ rows: ['...', '...'] })).toMatchObject({ bitmapShutter: null, notShown: [] });
  });

  it('leaves other overlays named', () => {
    const { bitmapShutter: bitmap, notShown } = read({
      shutter: bitmapShutter(),
      overlays: bytesOf(overlayElements({ rows: ['x'] }), overlayElements({ group: 0x6004, rows: ['x'] })),
    });
    expect([bitmap, notShown]).toEqual([{ x: 0, y: 0, width: 1, height: 1, runs: [0, 1] }, ['overlay']]);
  });

  const image1024 = { ...image, columns: 1024, rows: 1024 };
  const dotted = new Array<string>(1024).fill('x.'.repeat(512));
  it.each([
    ['of another group', withBitmap({ rows: ['x'] }, 0x6002), ['bitmap-shutter', 'overlay']],
    ['of no overlay group', read({ shutter: bitmapShutter(0x0028) }), ['bitmap-shutter']],
    [
      'with too few bits',
      read({
        shutter: bitmapShutter(),
        overlays: bytesOf(us(0x60000010, 99), us(0x60000011, 99), element(0x60003000, 'OW', words([1]))),
      }),
      ['bitmap-shutter'],
    ],
    [
      'of too many parts',
      read(
        { shutter: bitmapShutter(), area: [1, 1, 1024, 1024], overlays: overlayElements({ rows: dotted }) },
        image1024,
      ),
      ['bitmap-shutter'],
    ],
  ])('%s is named', (_, { bitmapShutter: bitmap, notShown }, named) => {
    expect([bitmap, notShown]).toEqual([null, named]);
  });
});

describe('the spatial transform', () => {
  it.each([
    [0, false, 0],
    [90, false, 90],
    [90, true, 270],
    [270, true, 90],
    [180, true, 180],
  ])('%i° and flip %s have the flip first in a display', (rotation, flip, expected) => {
    expect(read({ rotation, flip })).toMatchObject({ rotation: expected, horizontalFlip: flip, notShown: [] });
  });

  it('of another angle is named', () => {
    expect(read({ rotation: 45 })).toMatchObject({ rotation: 0, notShown: ['transform'] });
  });
});

describe('the displayed area', () => {
  const fitted = { frames: null, magnification: null, isTrueSize: false };

  it('is none when it is the whole image, also with a margin around it', () => {
    expect(read({}).areas).toEqual([]);
    expect(read({ area: [-3, -3, 20, 20] })).toMatchObject({ areas: [], notShown: [] });
  });

  it.each([
    ['of the stored image', 0, [3, 2, 6, 5]],
    ['as the screen shows them', 180, [6, 5, 3, 2]],
  ] as const)('is a part of the image, whose corners are pixels %s', (_, rotation, area) => {
    expect(read({ rotation, area })).toMatchObject({ areas: [{ ...fitted, from: [2, 1], to: [6, 5] }], notShown: [] });
  });

  it('has a magnification or the true size, also of the whole image', () => {
    const whole = { from: [0, 0], to: [8, 6] };
    expect(read({ sizeMode: 'MAGNIFY', magnification: 2.5 })).toMatchObject({
      areas: [{ ...fitted, ...whole, magnification: 2.5 }],
      notShown: [],
    });
    expect(read({ sizeMode: 'TRUE SIZE' })).toMatchObject({
      areas: [{ ...fitted, ...whole, isTrueSize: true }],
      notShown: [],
    });
  });

  it.each([
    ['magnified by an unknown ratio', { sizeMode: 'MAGNIFY' }],
    ['magnified by no ratio', { sizeMode: 'MAGNIFY', magnification: -1 }],
    ['of an unknown size', { sizeMode: 'HUGE' }],
  ])('%s is fitted and named', (_, state) => {
    expect(read(state)).toMatchObject({ areas: [fitted], notShown: ['displayed-area'] });
  });

  it('beside the image is left out and named', () => {
    expect(read({ area: [9, 1, 20, 6] })).toMatchObject({ areas: [], notShown: ['displayed-area'] });
  });
});

const description = { signed: false, bitsStored: 12, sampleKind: 'integer' } as const;
const identity: Modality = { kind: 'rescale', slope: 1, intercept: 0 };

const window = (centre: number, width: number, more: Uint8Array = new Uint8Array(0)) =>
  sequence(0x00283110, [
    bytesOf(more, element(0x00281050, 'DS', String(centre)), element(0x00281051, 'DS', String(width))),
  ]);

const rescale = (slope: number, intercept: number) =>
  bytesOf(
    element(0x00281052, 'DS', String(intercept)),
    element(0x00281053, 'DS', String(slope)),
    element(0x00281054, 'LO', 'US'),
  );

/** Display values 0..1 of stored values, through the image's own modality. */
const shown = (
  state: Pick<PresentationState, 'grey'>,
  stored: readonly number[],
  modality: Modality = identity,
  of: Parameters<typeof shownGreyOf>[1] = description,
  frame = 1,
) => {
  const grey = shownGreyOf(state, of, modality, frame);
  return grey && stored.map((value) => greyOf({ modality, ...grey }, value));
};

describe('grey values', () => {
  it('are those of the window of the frame', () => {
    const state = read({
      grey: sequence(0x00283110, [
        bytesOf(references('2.25.1001', [2]), element(0x00281050, 'DS', '10'), element(0x00281051, 'DS', '2')),
        bytesOf(element(0x00281050, 'DS', '1000'), element(0x00281051, 'DS', '101')),
      ]),
    });
    expect(shown(state, [949.5, 999.5, 1049.5])).toEqual([0, 0.5, 1]);
    expect(shown(state, [8, 11], identity, description, 2)).toEqual([0, 1]);
  });

  it('without a window are all values from black to white', () => {
    expect(shown(read({}), [0, 2047.5, 4095])).toEqual([0, 0.5, 1]);
    expect(shown(read({}), [-2048, 2047], identity, { ...description, signed: true })).toEqual([0, 1]);
  });

  it('replace the modality of the image: a state without one has a window of stored values', () => {
    const ct: Modality = { kind: 'rescale', slope: 2, intercept: -1000 };
    const state = read({ grey: window(600, 201) });
    const expected = shown(state, [500, 550, 600, 650, 700]);
    const converted = shown(state, [500, 550, 600, 650, 700], ct);
    expect(converted?.map((value) => value.toFixed(9))).toEqual(expected?.map((value) => value.toFixed(9)));
    const same = read({ grey: bytesOf(rescale(2, -1000), window(200, 401)) });
    expect(shownGreyOf(same, description, ct, 1)?.voi).toMatchObject({ centre: 200, width: 401, function: 'LINEAR' });
  });

  it('are inverted by the presentation LUT shape alone', () => {
    expect(shown(read({ shape: 'INVERSE' }), [0, 4095])).toEqual([1, 0]);
    expect(shown(read({ shape: null }), [0, 4095])).toEqual([0, 1]);
  });

  it('go through a VOI LUT, whose first input can be negative', () => {
    const lut = sequence(0x00283110, [sequence(0x00283010, [tableItem(0x10000 - 2, [0, 50, 100, 255], 8)])]);
    const signed = { ...description, signed: true };
    expect(shown(read({ grey: lut }), [-5, -1, 0, 9], identity, signed)).toEqual([0, 50 / 255, 100 / 255, 1]);
  });

  it('go through modality LUT, window and presentation LUT in this order', () => {
    const state = read({
      grey: bytesOf(sequence(0x00283000, [tableItem(0, [30, 10, 20, 0], 8)]), window(15.5, 31)),
      presentationLut: tableItem(0, [255, 128, 0], 8),
    });
    const grey = shown(state, [0, 1, 2, 3]);
    // 30, 10, 20, 0 -> 1, 1/3, 2/3, 0 -> the nearest of three entries.
    expect(grey?.map((value) => Math.round(value * 255))).toEqual([0, 128, 128, 255]);
  });

  it('of a table cannot be shown on an image whose own values are scaled', () => {
    const state = read({ grey: sequence(0x00283000, [tableItem(0, [30, 10, 20, 0], 8)]) });
    expect(shown(state, [0], { kind: 'rescale', slope: 0.5, intercept: 0 })).toBeNull();
    expect(shown(state, [0], identity, { ...description, sampleKind: 'float32' })).toBeNull();
  });

  it('are none in a colour state', () => {
    expect(read({ colour: true, grey: window(10, 20) }).grey).toBeNull();
  });
});

describe('what is not shown', () => {
  it('is named: overlays of the state and mask subtraction', () => {
    const overlay = element(0x60003000, 'OW', words([1]));
    const bytes = bytesOf(stateFile({ grey: sequence(0x00286100, [us(0x00286110, 1)]) }), overlay);
    expect(readFrom(bytes)?.notShown).toEqual(['overlay', 'mask']);
  });
});

it.runIf(corpusIsThere)('the state of the corpus goes through its three tables', () => {
  const { file, description: own } = opened(corpusBytes('explicit-le/imageForPrLUTs.dcm'));
  const { dataSet } = readDicomFile(corpusBytes('objects/prLUTs.dcm'));
  const sopInstanceUid = file.dataSet.code(0x00080018) ?? '';
  expect([...referencedImages(dataSet).keys()]).toEqual([sopInstanceUid]);
  const state = readPresentationState(dataSet, { sopInstanceUid, columns: own.columns, rows: own.rows });
  if (!state?.grey?.presentationLut || state.grey.modality.kind !== 'lut') throw new Error('no tables');
  const [tables] = state.grey.vois;
  if (tables?.voi.kind !== 'lut') throw new Error('no VOI LUT');
  const through = (values: readonly number[], input: number) => values[input] ?? 0;
  const { modality, presentationLut } = state.grey;
  const expected = Array.from({ length: 256 }, (_, stored) =>
    through(
      presentationLut.values,
      through(tables.voi.kind === 'lut' ? tables.voi.lut.values : [], through(modality.lut.values, stored)),
    ),
  );
  const grey = shownGreyOf(state, own, own.modality, 1);
  if (!grey) throw new Error('the grey values cannot be shown');
  const found = expected.map((_, stored) => Math.round(voiValue(grey.voi, modalityValue(own.modality, stored)) * 255));
  expect(found).toEqual(expected);
});
