import type { DataSet } from './data-set.ts';
import type { UltrasoundRegion } from './image-model.ts';
import { tags } from './tags.ts';

/** Region Spatial Format of a two-dimensional image; others show time, frequency or graphics (PS3.3 C.8.5.5.1.1). */
const twoDimensional = 1;
/** Physical Units of centimetres (PS3.3 C.8.5.5.1.15). */
const centimetres = 3;
const mmPerCm = 10;

const sizeOf = (item: DataSet): UltrasoundRegion['pixel'] => {
  const units = [tags.physicalUnitsXDirection, tags.physicalUnitsYDirection].map((tag) => item.number(tag, 'US'));
  if (item.number(tags.regionSpatialFormat, 'US') !== twoDimensional || units.some((unit) => unit !== centimetres))
    return null;
  // Negative where the physical axis points the other way.
  const across = Math.abs(item.number(tags.physicalDeltaX, 'FD') ?? 0) * mmPerCm;
  const down = Math.abs(item.number(tags.physicalDeltaY, 'FD') ?? 0) * mmPerCm;
  return across > 0 && down > 0 ? { columnMm: across, rowMm: down } : null;
};

/**
 * Returns the regions of an ultrasound image (PS3.3 C.8.5.5), with those that are not of length: a point in one of them has no size. Empty when
 * no region is calibrated in centimetres.
 */
export const readUltrasoundRegions = (dataSet: DataSet): readonly UltrasoundRegion[] => {
  const regions = dataSet.soundItems(tags.sequenceOfUltrasoundRegions).flatMap((item): UltrasoundRegion[] => {
    const left = item.number(tags.regionLocationMinX0, 'UL');
    const top = item.number(tags.regionLocationMinY0, 'UL');
    const right = item.number(tags.regionLocationMaxX1, 'UL');
    const bottom = item.number(tags.regionLocationMaxY1, 'UL');
    if (left === null || top === null || right === null || bottom === null || right < left || bottom < top) return [];
    return [{ left, top, right: right + 1, bottom: bottom + 1, pixel: sizeOf(item) }];
  });
  return regions.some(({ pixel }) => pixel !== null) ? regions : [];
};
