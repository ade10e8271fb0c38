import type { DataSet } from './data-set.ts';
import type { DicomFile } from './file.ts';
import { readFunctionalGroups, readModality, readSpacing, readVoiLuts, readWindows } from './grey-attributes.ts';
import type { FrameDescription, ImageDescription, Modality, PhotometricInterpretation } from './image-model.ts';
import { readPalette } from './lookup-tables.ts';
import { DicomProblem } from './problem.ts';
import { tags } from './tags.ts';
import { isAlwaysLossy } from './transfer-syntax.ts';
import { readUltrasoundRegions } from './ultrasound-regions.ts';

const identity: Modality = { kind: 'rescale', slope: 1, intercept: 0 };

const photometricInterpretations: readonly PhotometricInterpretation[] = [
  'MONOCHROME1',
  'MONOCHROME2',
  'PALETTE COLOR',
  'RGB',
  'YBR_FULL',
  'YBR_FULL_422',
  'YBR_PARTIAL_420',
  'YBR_ICT',
  'YBR_RCT',
];

const sampleKindOf = (dataSet: DataSet): ImageDescription['sampleKind'] | null => {
  if (dataSet.elements.has(tags.pixelData)) return 'integer';
  if (dataSet.elements.has(tags.floatPixelData)) return 'float32';
  return dataSet.elements.has(tags.doubleFloatPixelData) ? 'float64' : null;
};

const samplesOf = (dataSet: DataSet): 1 | 3 => {
  const samples = dataSet.number(tags.samplesPerPixel, 'US') ?? 1;
  if (samples === 1 || samples === 3) return samples;
  throw new DicomProblem('image-unsupported', `the image has ${samples} samples per pixel`);
};

const photometricOf = (dataSet: DataSet, samples: 1 | 3): PhotometricInterpretation => {
  const named = dataSet.code(tags.photometricInterpretation)?.toUpperCase() ?? (samples === 1 ? 'MONOCHROME2' : 'RGB');
  // Decoders of JPEG XL return RGB for it (PS3.3 C.7.6.3.1.2).
  const known = named === 'XYB' ? 'RGB' : photometricInterpretations.find((name) => name === named);
  if (!known) throw new DicomProblem('image-unsupported', 'the photometric interpretation of the image is not known');
  const grey = known === 'MONOCHROME1' || known === 'MONOCHROME2' || known === 'PALETTE COLOR';
  if (grey !== (samples === 1)) {
    throw new DicomProblem('malformed', `${known} does not go with ${samples} samples per pixel`);
  }
  return known;
};

const bitsOf = (dataSet: DataSet, kind: ImageDescription['sampleKind']) => {
  if (kind !== 'integer') {
    const bits = kind === 'float32' ? 32 : 64;
    return { bitsAllocated: bits, bitsStored: bits, highBit: bits - 1 };
  }
  const bitsAllocated = dataSet.number(tags.bitsAllocated, 'US');
  if (bitsAllocated === null) throw new DicomProblem('malformed', 'Bits Allocated (0028,0100) is missing');
  if (![1, 8, 16, 32].includes(bitsAllocated)) {
    throw new DicomProblem('image-unsupported', `${bitsAllocated} bits allocated per sample are not supported`);
  }
  const bitsStored = dataSet.number(tags.bitsStored, 'US') || bitsAllocated;
  const highBit = dataSet.number(tags.highBit, 'US') ?? bitsStored - 1;
  if (bitsStored > bitsAllocated || highBit >= bitsAllocated || highBit + 1 < bitsStored) {
    throw new DicomProblem('malformed', `${bitsStored} bits up to bit ${highBit} do not fit in ${bitsAllocated} bits`);
  }
  return { bitsAllocated, bitsStored, highBit };
};

const aspectRatioOf = (dataSet: DataSet): ImageDescription['pixelAspectRatio'] => {
  const [vertical = 1, horizontal = 1] = dataSet.numbers(tags.pixelAspectRatio, 'IS');
  return vertical > 0 && horizontal > 0 && vertical !== horizontal ? { vertical, horizontal } : null;
};

const paddingOf = (dataSet: DataSet, signed: boolean): ImageDescription['padding'] => {
  const vr = signed ? 'SS' : 'US';
  const value = dataSet.number(tags.pixelPaddingValue, vr);
  if (value === null) return null;
  const limit = dataSet.number(tags.pixelPaddingRangeLimit, vr) ?? value;
  return { low: Math.min(value, limit), high: Math.max(value, limit) };
};

const framesOf = (dataSet: DataSet, numberOfFrames: number, shared: FrameDescription | null) => {
  const items = dataSet.sequence(tags.perFrameFunctionalGroupsSequence).slice(0, numberOfFrames);
  if (items.length === 0) return null;
  return items.map((item): FrameDescription => {
    const own = readFunctionalGroups(item);
    return {
      modality: own.modality ?? shared?.modality ?? null,
      windows: own.windows ?? shared?.windows ?? null,
      spacing: own.spacing ?? shared?.spacing ?? null,
    };
  });
};

const shapeOf = (dataSet: DataSet): ImageDescription['presentationShape'] => {
  const shape = dataSet.code(tags.presentationLutShape);
  return shape === 'INVERSE' || shape === 'IDENTITY' ? shape : null;
};

/**
 * Returns the image attributes of a file; null for objects without pixel data (reports, plans, ...).
 * The file must have been read including its pixel data.
 * @throws DicomProblem 'no-image-size', 'image-unsupported', 'malformed', 'truncated'
 */
export const describeImage = ({ dataSet, transferSyntaxUid }: DicomFile): ImageDescription | null => {
  const sampleKind = sampleKindOf(dataSet);
  if (!sampleKind) return null;
  const rows = dataSet.number(tags.rows, 'US') ?? 0;
  const columns = dataSet.number(tags.columns, 'US') ?? 0;
  if (rows < 1 || columns < 1) {
    throw new DicomProblem('no-image-size', 'Rows (0028,0010) or Columns (0028,0011) are missing or zero');
  }
  const samplesPerPixel = samplesOf(dataSet);
  const photometricInterpretation = photometricOf(dataSet, samplesPerPixel);
  const signed = dataSet.number(tags.pixelRepresentation, 'US') === 1;
  const numberOfFrames = Math.max(1, Math.floor(dataSet.number(tags.numberOfFrames, 'IS') ?? 1));
  const [sharedItem] = dataSet.sequence(tags.sharedFunctionalGroupsSequence);
  const shared = sharedItem ? readFunctionalGroups(sharedItem) : null;
  const modality = readModality(dataSet, signed) ?? shared?.modality ?? identity;
  const windows = readWindows(dataSet);
  return {
    transferSyntaxUid,
    rows,
    columns,
    numberOfFrames,
    samplesPerPixel,
    sampleKind,
    ...bitsOf(dataSet, sampleKind),
    signed,
    planarConfiguration: dataSet.number(tags.planarConfiguration, 'US') === 1 ? 1 : 0,
    photometricInterpretation,
    modality,
    windows: windows.length > 0 ? windows : (shared?.windows ?? []),
    voiLuts: readVoiLuts(dataSet, signed, modality),
    presentationShape: shapeOf(dataSet),
    palette: photometricInterpretation === 'PALETTE COLOR' ? readPalette(dataSet, signed) : null,
    padding: paddingOf(dataSet, signed),
    spacing: readSpacing(dataSet) ?? shared?.spacing ?? null,
    ultrasoundRegions: readUltrasoundRegions(dataSet),
    pixelAspectRatio: aspectRatioOf(dataSet),
    lossy: dataSet.code(tags.lossyImageCompression) === '01' || isAlwaysLossy(transferSyntaxUid),
    frames: framesOf(dataSet, numberOfFrames, shared),
  };
};
