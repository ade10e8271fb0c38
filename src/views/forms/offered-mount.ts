import type { ImageInfo } from '../../../contract/images.ts';
import { candidatesOf, isPlaceable, proposeSlots } from '../../../contract/propose-slots.ts';
import type { Study } from '../../../contract/studies.ts';
import type { Template } from '../../../contract/viewsets.ts';

/** The template that fits images best, and how many of them it takes. */
export interface MountOffer {
  readonly template: Template;
  readonly images: number;
  readonly placed: number;
}

/** Fewer images are shown as well without a mount, and more do not belong in one. */
const [minImages, maxImages] = [2, 40];
/** A mount that stays emptier than this does not fit the images. */
const minFilledPart = 0.5;

/** Returns the images of a study that belong in a mount and are in none. */
export const unmountedImages = ({ series }: Pick<Study, 'series'>): readonly ImageInfo[] =>
  series.flatMap(({ images }) => images).filter((image) => image.viewsetId === null && isPlaceable(image));

/**
 * Returns the template that takes most of the images; of several the one with the fewest empty slots, then the first of the list. Null when
 * none takes two images and fills half of its slots.
 */
export const offeredMount = (images: readonly ImageInfo[], templates: readonly Template[]): MountOffer | null => {
  if (images.length < minImages || images.length > maxImages) return null;
  const candidates = candidatesOf(images);
  return templates
    .map((template) => {
      const slots = template.viewSetItems;
      const placed = Object.keys(proposeSlots({ modality: template.modality, slots }, candidates)).length;
      return { template, images: images.length, placed };
    })
    .filter(({ template, placed }) => placed >= minImages && placed / template.viewSetItems.length >= minFilledPart)
    .reduce<MountOffer | null>((best, offer) => {
      if (!best || offer.placed > best.placed) return offer;
      const isFuller = offer.template.viewSetItems.length < best.template.viewSetItems.length;
      return offer.placed === best.placed && isFuller ? offer : best;
    }, null);
};
