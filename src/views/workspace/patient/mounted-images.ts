import type { ImageInfo } from '../../../../contract/images.ts';
import type { Study } from '../../../../contract/studies.ts';
import { type MountedSlot, teethShown } from '../../../../contract/viewsets.ts';
import { imagesOf } from './patient-location.ts';

/** A slot in which an image is mounted. */
export interface ImageSlot {
  readonly viewsetId: string;
  /** Null when the layout was made by the user, not from a template. */
  readonly templateId: string | null;
  readonly slot: MountedSlot;
}

/** An image with the slots of all mounts in which it is. */
export interface MountedImage extends ImageInfo {
  readonly patientId: string;
  readonly slots: readonly ImageSlot[];
}

/** Returns the images of a study list with their slots, which may be in a mount of another study. */
export const mountedImagesOf = (studies: readonly Study[]): readonly MountedImage[] => {
  const slots = Map.groupBy(
    studies
      .flatMap(({ viewsets }) => viewsets)
      .flatMap(({ viewSetUuid, templateUUID, mounted }) =>
        mounted.map((slot): ImageSlot => ({ viewsetId: viewSetUuid, templateId: templateUUID, slot })),
      ),
    ({ slot }) => slot.imageUid,
  );
  return studies.flatMap((study) =>
    imagesOf(study).map((image) => ({
      ...image,
      patientId: study.patientId,
      slots: slots.get(image.uid) ?? [],
    })),
  );
};

/** Returns the teeth that an image shows (ISO 3950): those set by a user, else those of its slots, else those of its file. */
export const teethOfImage = ({ slots, ...image }: ImageInfo & Pick<MountedImage, 'slots'>): readonly number[] =>
  teethShown({ teeth: [...new Set(slots.flatMap(({ slot }) => slot.teeth))], activeImage: image });
