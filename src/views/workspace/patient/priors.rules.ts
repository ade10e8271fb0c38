import { type ImageKind, imageKindOf } from '../../../../contract/image-kinds.ts';
import { acquiredOf } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import { jawOf, sideOf } from '../../../../contract/teeth.ts';
import type { PriorMatch, ShownImage } from '../../app/shown-content.ts';
import { type ImageSlot, type MountedImage, mountedImagesOf, teethOfImage } from './mounted-images.ts';

/** An image of a patient with what it is matched by. */
export interface DatedImage extends ShownImage {
  readonly patientId: string;
  /** Day of exposure, `YYYY-MM-DD`; null when not known. */
  readonly day: string | null;
  readonly kind: ImageKind;
  /** ISO 3950 */
  readonly teeth: readonly number[];
  readonly slots: readonly ImageSlot[];
}

export interface Prior {
  readonly image: DatedImage;
  readonly match: PriorMatch;
}

/** Earlier images of an image. */
export interface Priors {
  readonly current: DatedImage;
  /** The best match of each day, the latest day first. */
  readonly priors: readonly Prior[];
  /** The best match of all, which is shown first; null without one. */
  readonly best: Prior | null;
  /** Numbers of matching images that are not offered because their date is not known, or is the same day. */
  readonly undated: number;
  readonly sameDay: number;
  /** Number of earlier intraoral images whose teeth are not known. */
  readonly withoutTeeth: number;
}

const dayOf = (moment: string | null): string | null => /^\d{4}-\d{2}-\d{2}/.exec(moment ?? '')?.[0] ?? null;

/** Returns the images of a patient that have pixels. */
export const datedImagesOf = (studies: readonly Study[]): readonly DatedImage[] => {
  const dated = ({ patientId, slots, ...image }: MountedImage): DatedImage => {
    // The last one is shown; an image is rarely in two mounts.
    const place = slots.at(-1);
    const teeth = teethOfImage({ ...image, slots });
    return {
      image,
      item: place ? { ...place.slot, activeImage: image } : null,
      viewsetId: place?.viewsetId ?? null,
      patientId,
      day: dayOf(acquiredOf(image)),
      kind: imageKindOf(image.seriesModalityValue, teeth),
      teeth,
      slots,
    };
  };
  return mountedImagesOf(studies)
    .filter(({ kind }) => kind === 'image')
    .map(dated);
};

/** Returns whether both are in the same slot of the same template; a slot without teeth and name shows anything. */
const isSameSlot = (one: DatedImage, other: DatedImage): boolean =>
  one.slots.some(
    ({ templateId, slot }) =>
      templateId !== null &&
      (slot.teeth.length > 0 || slot.description !== null) &&
      other.slots.some((same) => same.templateId === templateId && same.slot.itemIndex === slot.itemIndex),
  );

/** Returns side and jaws, as far as known; a panoramic image shows all. */
const regionOf = ({ image, kind, teeth }: DatedImage): string | null => {
  if (kind !== 'panoramic' && teeth.length === 0) return null;
  const sides = teeth.length > 0 ? [...new Set(teeth.map(sideOf))].sort() : ['L', 'R'];
  const jaws = teeth.length > 0 ? [...new Set(teeth.map(jawOf))].sort() : ['lower', 'upper'];
  const side = image.laterality ?? (sides.length > 1 ? 'B' : sides[0]);
  return `${side} ${jaws.join(' ')}`;
};

const sharedTeeth = (one: DatedImage, other: DatedImage): readonly number[] =>
  one.teeth.filter((tooth) => other.teeth.includes(tooth));

/** Returns why another image shows the same; null when it does not, or may not. */
export const matchOf = (current: DatedImage, other: DatedImage): PriorMatch | null => {
  if (other.patientId !== current.patientId || other.image.uid === current.image.uid) return null;
  if (other.kind !== current.kind || current.kind === 'slice') return null;
  const teeth = sharedTeeth(current, other);
  // Images of different teeth are never a pair, even in the same slot.
  if (current.teeth.length > 0 && other.teeth.length > 0 && teeth.length === 0) return null;
  if (isSameSlot(current, other)) return { by: 'slot', description: current.item?.description ?? null, teeth };
  if (teeth.length > 0) return { by: 'teeth', teeth };
  const region = regionOf(current);
  return region !== null && region === regionOf(other) ? { by: 'region' } : null;
};

/**
 * Strength of a match. An image of all teeth that the current one shows equals one in the same slot: the latest is the better,
 * mounted or not.
 */
const strengthOf = ({ match }: Prior, current: DatedImage): number => {
  if (match.by === 'region') return 0;
  return match.by === 'slot' || match.teeth.length === current.teeth.length
    ? Number.POSITIVE_INFINITY
    : match.teeth.length;
};

/** Orders by strength, then the latest first; of one day an acceptable one, the same slot, the fewest other teeth and the later moment. */
const better =
  (current: DatedImage) =>
  (one: Prior, other: Prior): number => {
    const [strong, weak] = [strengthOf(other, current), strengthOf(one, current)];
    if (strong !== weak) return strong - weak;
    const keyOf = ({ image, match }: Prior): readonly (string | number)[] => [
      image.day ?? '',
      image.image.grade?.grade === 'N' ? 0 : 1,
      match.by === 'slot' ? 1 : 0,
      -image.teeth.length,
      image.image.imageAcquiredDate ?? '',
      image.image.uid,
    ];
    const [first, second] = [keyOf(one), keyOf(other)];
    const at = first.findIndex((part, index) => part !== second[index]);
    return at < 0 ? 0 : (first[at] ?? 0) > (second[at] ?? 0) ? -1 : 1;
  };

const isWithoutTeeth = ({ kind }: DatedImage) => kind === 'intraoral';

/**
 * Returns the earlier images of an image, the best match of each day: same slot of the same template or all teeth, then most shared teeth
 * of one kind, then side and region of one kind. Null when the image is not in the list.
 */
export const priorsOf = (imageUid: string, images: readonly DatedImage[]): Priors | null => {
  const current = images.find(({ image }) => image.uid === imageUid);
  if (!current) return null;
  const matching = images.flatMap((image) => {
    const match = matchOf(current, image);
    return match ? [{ image, match }] : [];
  });
  const { day } = current;
  const isEarlier = (image: DatedImage, than: string | null) => image.day !== null && than !== null && image.day < than;
  const earlier = images.filter((image) => image.patientId === current.patientId && isEarlier(image, day));
  const ranked = matching.filter(({ image }) => isEarlier(image, day)).toSorted(better(current));
  const days = new Map(ranked.toReversed().map((prior) => [prior.image.day ?? '', prior]));
  const priors = [...days].toSorted(([one], [other]) => (one < other ? 1 : -1)).map(([, prior]) => prior);
  return {
    current,
    priors,
    best: ranked[0] ?? null,
    undated: matching.filter(({ image }) => image.day === null).length,
    sameDay: day === null ? 0 : matching.filter(({ image }) => image.day === day).length,
    withoutTeeth:
      current.kind === 'bitewing' || current.kind === 'periapical' ? earlier.filter(isWithoutTeeth).length : 0,
  };
};

/** Returns whether an image has anything that another one can be matched by. */
export const canMatch = (current: DatedImage): boolean =>
  matchOf(current, { ...current, image: { ...current.image, uid: '' } }) !== null;
