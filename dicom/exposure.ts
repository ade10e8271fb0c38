import type { DataSet, NumberVr } from './data-set.ts';
import { tags } from './tags.ts';

/** How a radiograph was exposed, as its file states it; null: not stated. */
export interface Exposure {
  readonly tubeVoltageKv: number | null;
  readonly tubeCurrentMa: number | null;
  readonly exposureTimeMs: number | null;
  readonly areaDoseMgyCm2: number | null;
  readonly entranceDoseMgy: number | null;
  readonly exposureIndex: number | null;
  readonly targetExposureIndex: number | null;
  readonly deviationIndex: number | null;
}

export const notStatedExposure: Exposure = {
  tubeVoltageKv: null,
  tubeCurrentMa: null,
  exposureTimeMs: null,
  areaDoseMgyCm2: null,
  entranceDoseMgy: null,
  exposureIndex: null,
  targetExposureIndex: null,
  deviationIndex: null,
};

/** Multiplies without the digits that binary fractions add: 0.07 becomes 7, not 7.000000000000001. */
const scaled = (value: number | null, factor: number): number | null =>
  value === null ? null : Number((value * factor).toPrecision(12));

/** Reads how a radiograph was exposed (PS3.3 C.8.7.2, C.8.11.3, C.4.16). The file has the dose area product in dGy*cm2. */
export const exposureOf = (dataSet: DataSet): Exposure => {
  const stated = (tag: number, vr: NumberVr = 'DS') => dataSet.number(tag, vr);
  return {
    tubeVoltageKv: stated(tags.kvp),
    // The value in microampere is the exact one; that in mA is a whole number.
    tubeCurrentMa: scaled(stated(tags.xRayTubeCurrentInMicroampere), 0.001) ?? stated(tags.xRayTubeCurrent, 'IS'),
    exposureTimeMs: stated(tags.exposureTime, 'IS'),
    areaDoseMgyCm2: scaled(stated(tags.imageAndFluoroscopyAreaDoseProduct), 100),
    entranceDoseMgy: stated(tags.entranceDoseInMilligray),
    exposureIndex: stated(tags.exposureIndex),
    targetExposureIndex: stated(tags.targetExposureIndex),
    deviationIndex: stated(tags.deviationIndex),
  };
};

/** Returns the Irradiation Event UIDs of an image, joined by a backslash; null when not stated. */
export const irradiationEventOf = (dataSet: DataSet): string | null =>
  dataSet
    .codes(tags.irradiationEventUid)
    .filter((uid) => uid !== '')
    .join('\\') || null;
