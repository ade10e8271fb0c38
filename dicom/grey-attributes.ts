import type { DataSet } from './data-set.ts';
import type {
  DisplayLut,
  DisplayWindow,
  FrameDescription,
  Modality,
  PixelSpacing,
  WindowFunction,
} from './image-model.ts';
import { readLookupTable } from './lookup-tables.ts';
import { tags } from './tags.ts';

const CALIBRATION_TYPE = 0x00280a02;

/** Rescale slope and intercept of a data set or functional group; null when it has neither. */
export const readRescale = (dataSet: DataSet): Modality | null => {
  const slope = dataSet.number(tags.rescaleSlope, 'DS');
  const intercept = dataSet.number(tags.rescaleIntercept, 'DS');
  if (slope === null && intercept === null) return null;
  return { kind: 'rescale', slope: slope === null || slope === 0 ? 1 : slope, intercept: intercept ?? 0 };
};

/** The Modality LUT of the object, which takes precedence over rescaling (PS3.3 C.11.1). */
export const readModality = (dataSet: DataSet, signed: boolean): Modality | null => {
  const [item] = dataSet.sequence(tags.modalityLutSequence);
  const lut = item ? readLookupTable(item, signed) : null;
  return lut ? { kind: 'lut', lut } : readRescale(dataSet);
};

const windowFunctionOf = (dataSet: DataSet): WindowFunction => {
  const named = dataSet.code(tags.voiLutFunction);
  return named === 'LINEAR_EXACT' || named === 'SIGMOID' ? named : 'LINEAR';
};

/** Returns the valid windows: LINEAR needs a width of at least 1, the other functions a width above 0 (PS3.3 C.11.2). */
export const readWindows = (dataSet: DataSet): readonly DisplayWindow[] => {
  const centres = dataSet.numbers(tags.windowCenter, 'DS');
  const widths = dataSet.numbers(tags.windowWidth, 'DS');
  const explanations = (dataSet.text(tags.windowExplanation) ?? '').split('\\');
  const fn = windowFunctionOf(dataSet);
  return centres.flatMap((centre, index): DisplayWindow[] => {
    const width = widths[index] ?? Number.NaN;
    if (!Number.isFinite(centre) || !(fn === 'LINEAR' ? width >= 1 : width > 0)) return [];
    return [{ kind: 'window', centre, width, function: fn, explanation: explanations[index]?.trim() || null }];
  });
};

/** Returns the VOI LUTs. Their input is signed when the modality values can be negative. */
export const readVoiLuts = (dataSet: DataSet, signed: boolean, modality: Modality): readonly DisplayLut[] => {
  const signedInput = modality.kind === 'rescale' && (signed || modality.intercept < 0);
  return dataSet.sequence(tags.voiLutSequence).flatMap((item): DisplayLut[] => {
    const lut = readLookupTable(item, signedInput);
    return lut ? [{ kind: 'lut', lut }] : [];
  });
};

const readRowAndColumnMm = (dataSet: DataSet, tag: number): { rowMm: number; columnMm: number } | null => {
  const [rowMm = Number.NaN, columnMm = rowMm] = dataSet.numbers(tag, 'DS');
  return rowMm > 0 && columnMm > 0 && Number.isFinite(rowMm * columnMm) ? { rowMm, columnMm } : null;
};

/** Modalities of projection radiographs. Without Imager Pixel Spacing, their Pixel Spacing may be the spacing at the detector. */
const projections: readonly (string | null)[] = ['IO', 'PX', 'DX', 'CR', 'RG'];
/** No dental or medical geometry magnifies more; a larger factor is an error of the file. */
const maxMagnification = 10;

const estimatedFrom = (dataSet: DataSet, detector: { rowMm: number; columnMm: number }): PixelSpacing => {
  const factor = dataSet.number(tags.magnificationFactor, 'DS') ?? 0;
  if (factor < 1 || factor > maxMagnification) return { ...detector, kind: 'detector' };
  return { rowMm: detector.rowMm / factor, columnMm: detector.columnMm / factor, kind: 'estimated' };
};

/**
 * Returns the pixel spacing and where it applies. An uncalibrated Pixel Spacing equal to Imager Pixel Spacing applies at the detector
 * (PS3.3 10.7.1.3).
 */
export const readSpacing = (dataSet: DataSet): PixelSpacing | null => {
  const stated = readRowAndColumnMm(dataSet, tags.pixelSpacing);
  const detector = readRowAndColumnMm(dataSet, tags.imagerPixelSpacing);
  const isCalibrated = dataSet.has(CALIBRATION_TYPE);
  const isDetectorSpacing =
    stated?.rowMm === detector?.rowMm && stated?.columnMm === detector?.columnMm && !isCalibrated;
  if (stated && !isDetectorSpacing) {
    const isUnverified = !isCalibrated && !detector && projections.includes(dataSet.code(tags.modality));
    return { ...stated, kind: isUnverified ? 'stated' : 'patient' };
  }
  if (detector) return estimatedFrom(dataSet, detector);
  const film = readRowAndColumnMm(dataSet, tags.nominalScannedPixelSpacing);
  return film && { ...film, kind: 'film' };
};

/** Reads one item of the shared or per-frame functional groups (PS3.3 C.7.6.16). */
export const readFunctionalGroups = (groups: DataSet): FrameDescription => {
  const [transformation] = groups.sequence(tags.pixelValueTransformationSequence);
  const [voi] = groups.sequence(tags.frameVoiLutSequence);
  const [measures] = groups.sequence(tags.pixelMeasuresSequence);
  const windows = voi ? readWindows(voi) : [];
  return {
    modality: transformation ? readRescale(transformation) : null,
    windows: windows.length > 0 ? windows : null,
    spacing: measures ? readSpacing(measures) : null,
  };
};
