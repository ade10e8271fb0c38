import { type DoseSum, isExposed, type PatientDose } from '../../contract/dose.ts';
import { type ImageKind, imageKindOf, imageKinds } from '../../contract/image-kinds.ts';
import { acquiredOf } from '../../contract/images.ts';

/** An image with what its file states about the dose. */
export interface DoseImage {
  readonly id: string;
  readonly series_id: string;
  readonly modality: string;
  readonly source: 'dicom' | 'picture';
  /** As shown, ISO 3950. */
  readonly teeth: readonly number[];
  /** Acquisition time or study date, ISO 8601; empty when not known. */
  readonly shown_at: string;
  readonly irradiation_event: string | null;
  /** In mGy*cm2, above 0; null: not stated. */
  readonly area_dose: number | null;
}

/** One irradiation of a patient. */
export interface DoseExposure {
  readonly kind: ImageKind;
  readonly year: number | null;
  readonly areaDose: number | null;
}

const yearOf = ({ source, shown_at }: DoseImage): number | null => {
  const acquired = acquiredOf({ source, imageAcquiredDate: shown_at || null });
  return acquired === null ? null : Number(acquired.slice(0, 4));
};

const keyOf = (image: DoseImage, kind: ImageKind): string =>
  image.irradiation_event ?? (kind === 'slice' ? image.series_id : image.id);

/**
 * Returns the exposures of images. Images of one irradiation event are one exposure; where they state different doses, it has the largest.
 * Where files do not name the event, each image is an exposure, and the slices of a series are one together.
 */
export const exposuresOf = (images: readonly DoseImage[]): DoseExposure[] => {
  const byEvent = new Map<string, DoseExposure>();
  for (const image of images) {
    if (!isExposed(image.modality) && image.area_dose === null) continue;
    const kind = imageKindOf(image.modality, image.teeth);
    const key = keyOf(image, kind);
    const known = byEvent.get(key);
    if (known && (known.areaDose ?? 0) >= (image.area_dose ?? 0)) continue;
    byEvent.set(key, { kind, year: yearOf(image), areaDose: image.area_dose });
  }
  return [...byEvent.values()];
};

/** Removes the digits that sums of binary fractions add. */
const rounded = (value: number): number => Number(value.toPrecision(12));

const sumOf = (exposures: readonly DoseExposure[]): DoseSum => {
  const doses = exposures.flatMap(({ areaDose }) => areaDose ?? []);
  const sum = rounded(doses.reduce((total, dose) => total + dose, 0));
  return { exposures: exposures.length, stated: doses.length, areaDoseMgyCm2: doses.length === 0 ? null : sum };
};

/** Returns the sums by year, newest first, those without a date last. */
export const doseByYear = (exposures: readonly DoseExposure[]): PatientDose['years'] => {
  const years = [...new Set(exposures.map(({ year }) => year))];
  years.sort((one, other) => (other ?? -1) - (one ?? -1));
  return years.map((year) => {
    const ofYear = exposures.filter((exposure) => exposure.year === year);
    const kinds = imageKinds.flatMap((kind) => {
      const ofKind = ofYear.filter((exposure) => exposure.kind === kind);
      return ofKind.length === 0 ? [] : { kind, ...sumOf(ofKind) };
    });
    return { year, ...sumOf(ofYear), kinds };
  });
};

/** Returns the median of the stated doses of each of these kinds; a kind without any is left out. */
export const doseMedians = (
  exposures: readonly DoseExposure[],
  kinds: ReadonlySet<ImageKind>,
): PatientDose['medians'] =>
  imageKinds
    .filter((kind) => kinds.has(kind))
    .flatMap((kind) => {
      const doses = exposures.flatMap((one) => (one.kind === kind && one.areaDose !== null ? one.areaDose : []));
      doses.sort((one, other) => one - other);
      const lower = doses[Math.floor((doses.length - 1) / 2)];
      const upper = doses[Math.floor(doses.length / 2)];
      if (lower === undefined || upper === undefined) return [];
      return { kind, exposures: doses.length, areaDoseMgyCm2: rounded((lower + upper) / 2) };
    });
