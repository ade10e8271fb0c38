import { type GalleryImage, mostDownloaded } from '../../../contract/gallery.ts';

/** Images that were chosen, by uid, in the order of choosing; they stay chosen while one searches on. */
export type ChosenImages = ReadonlyMap<string, GalleryImage>;

/** So many can be downloaded at once, and so many can be chosen. */
export const mostChosen = mostDownloaded;

export const fewestCompared = 2;
export const mostCompared = 4;

/** `chosen` and `images` together, as far as there is room. */
export const withImages = (
  chosen: ChosenImages,
  images: readonly GalleryImage[],
): { readonly chosen: ChosenImages; readonly isCut: boolean } => {
  const next = new Map(chosen);
  for (const image of images) {
    if (next.size >= mostChosen && !next.has(image.uid)) return { chosen: next, isCut: true };
    next.set(image.uid, image);
  }
  return { chosen: next, isCut: false };
};

/** Why these images cannot stand side by side; null when they can. */
export const barToCompare = (chosen: ChosenImages): 'compareFew' | 'compareMany' | 'comparePatients' | null => {
  const images = [...chosen.values()];
  if (images.some(({ patientId }) => patientId !== images[0]?.patientId)) return 'comparePatients';
  if (images.length < fewestCompared) return 'compareFew';
  return images.length > mostCompared ? 'compareMany' : null;
};
