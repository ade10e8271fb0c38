import {
  type DisplayWindow,
  type ImageDescription,
  type LookupTable,
  type Modality,
  spacingKinds,
  type UltrasoundRegion,
} from '../image-model.ts';
import type { Fields } from './fields.ts';
import type { StoredAs } from './rendition.ts';

const maxSide = 0xffff;

const photometrics = [
  'MONOCHROME1',
  'MONOCHROME2',
  'PALETTE COLOR',
  'RGB',
  'YBR_FULL',
  'YBR_FULL_422',
  'YBR_PARTIAL_420',
  'YBR_ICT',
  'YBR_RCT',
] as const;

/** @throws DicomProblem 'malformed' */
export const readStoredAs = (fields: Fields): StoredAs => {
  const bitsAllocated = fields.oneOf('bitsAllocated', [1, 8, 16, 32, 64]);
  const bitsStored = fields.integer('bitsStored', 1, bitsAllocated);
  return {
    transferSyntaxUid: fields.text('transferSyntaxUid'),
    rows: fields.integer('rows', 1, maxSide),
    columns: fields.integer('columns', 1, maxSide),
    samplesPerPixel: fields.oneOf('samplesPerPixel', [1, 3]),
    sampleKind: fields.oneOf('sampleKind', ['integer', 'float32', 'float64']),
    bitsAllocated,
    bitsStored,
    highBit: fields.integer('highBit', bitsStored - 1, bitsAllocated - 1),
    signed: fields.flag('signed'),
    planarConfiguration: fields.oneOf('planarConfiguration', [0, 1]),
    photometricInterpretation: fields.oneOf('photometricInterpretation', photometrics),
  };
};

const readTable = (fields: Fields): LookupTable => ({
  firstInput: fields.integer('firstInput', -0x8000, 0xffff),
  values: fields.words('values'),
  bits: fields.integer('bits', 1, 16),
  explanation: fields.textOrNull('explanation'),
});

const readModality = (fields: Fields): Modality =>
  fields.oneOf('kind', ['rescale', 'lut']) === 'lut'
    ? { kind: 'lut', lut: readTable(fields.child('lut')) }
    : { kind: 'rescale', slope: fields.number('slope'), intercept: fields.number('intercept') };

const readWindow = (fields: Fields): DisplayWindow => ({
  kind: fields.oneOf('kind', ['window']),
  centre: fields.number('centre'),
  width: fields.number('width'),
  function: fields.oneOf('function', ['LINEAR', 'LINEAR_EXACT', 'SIGMOID']),
  explanation: fields.textOrNull('explanation'),
});

const readRegion = (fields: Fields): UltrasoundRegion => {
  const pixel = fields.childOrNull('pixel');
  return {
    left: fields.number('left'),
    top: fields.number('top'),
    right: fields.number('right'),
    bottom: fields.number('bottom'),
    pixel: pixel && { columnMm: pixel.number('columnMm'), rowMm: pixel.number('rowMm') },
  };
};

/** The description of one frame. @throws DicomProblem 'malformed' */
export const readDescription = (fields: Fields): ImageDescription => {
  const palette = fields.childOrNull('palette');
  const padding = fields.childOrNull('padding');
  const spacing = fields.childOrNull('spacing');
  const aspect = fields.childOrNull('pixelAspectRatio');
  return {
    ...readStoredAs(fields),
    numberOfFrames: fields.integer('numberOfFrames', 1, 0x7fffffff),
    modality: readModality(fields.child('modality')),
    windows: fields.children('windows').map(readWindow),
    voiLuts: fields
      .children('voiLuts')
      .map((entry) => ({ kind: entry.oneOf('kind', ['lut']), lut: readTable(entry.child('lut')) })),
    presentationShape:
      fields.textOrNull('presentationShape') === null
        ? null
        : fields.oneOf<'IDENTITY' | 'INVERSE'>('presentationShape', ['IDENTITY', 'INVERSE']),
    palette: palette && {
      firstInput: palette.integer('firstInput', -0x8000, 0xffff),
      red: palette.bytes('red'),
      green: palette.bytes('green'),
      blue: palette.bytes('blue'),
    },
    padding: padding && { low: padding.number('low'), high: padding.number('high') },
    spacing: spacing && {
      rowMm: spacing.number('rowMm'),
      columnMm: spacing.number('columnMm'),
      kind: spacing.oneOfOrNull('basis', spacingKinds) ?? spacing.oneOf('kind', ['patient', 'detector']),
    },
    ultrasoundRegions: fields.optionalChildren('ultrasoundRegions').map(readRegion),
    pixelAspectRatio: aspect && { vertical: aspect.number('vertical'), horizontal: aspect.number('horizontal') },
    lossy: fields.flag('lossy'),
    frames: null,
  };
};
