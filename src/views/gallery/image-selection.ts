import { useQueryClient } from '@tanstack/react-query';
import { type GalleryImage, maxImagesNamed } from '../../../contract/gallery.ts';

/** Selected images by UID in selection order; the selection survives a new search. */
export type ChosenImages = ReadonlyMap<string, GalleryImage>;

/** Maximum number of images in a download, and so in a selection. */
export const maxSelected = maxImagesNamed;

export const minCompared = 2;
export const maxCompared = 4;

/** Adds `images` to `chosen` up to the maximum. */
export const withImages = (
  chosen: ChosenImages,
  images: readonly GalleryImage[],
): { readonly chosen: ChosenImages; readonly isCut: boolean } => {
  const next = new Map(chosen);
  for (const image of images) {
    if (next.size >= maxSelected && !next.has(image.uid)) return { chosen: next, isCut: true };
    next.set(image.uid, image);
  }
  return { chosen: next, isCut: false };
};

/** Returns why these images cannot be compared, or null. */
export const compareObstacle = (chosen: ChosenImages): 'compareFew' | 'compareMany' | 'comparePatients' | null => {
  const images = [...chosen.values()];
  if (images.some(({ patientId }) => patientId !== images[0]?.patientId)) return 'comparePatients';
  if (images.length < minCompared) return 'compareFew';
  return images.length > maxCompared ? 'compareMany' : null;
};

/** Scroll position and selection of a list when an image was opened. */
interface ListScroll {
  readonly list: string;
  /** Index of the opened image. */
  readonly index: number;
  readonly chosen: ChosenImages;
}

const queryKey = ['left-gallery'];

/** Stores where a list was left, to restore it on return. Stored in the query cache, which sign-out clears. */
export const useListScroll = () => {
  const client = useQueryClient();
  return {
    leave: (left: ListScroll) => {
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData<ListScroll>(queryKey, left);
    },
    /** Returns the stored state of this list; null when there is none or it belongs to another list. */
    leftAt: (list: string): ListScroll | null => {
      const left = client.getQueryData<ListScroll>(queryKey);
      return left?.list === list ? left : null;
    },
    forget: () => client.removeQueries({ queryKey }),
  };
};
