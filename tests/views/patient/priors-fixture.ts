import type { ImageInfo } from '../../../contract/images.ts';
import type { Study } from '../../../contract/studies.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { anImage, aSlot, idOf } from '../records.ts';

export interface Exposure {
  readonly number: number;
  /** `YYYY-MM-DD`, or with a time. */
  readonly on: string | null;
  readonly teeth?: readonly number[];
  /** Template, slot and what the slot says. */
  readonly mounted?: { readonly template: number | null; readonly slot: number } & Partial<{
    teeth: number[];
    description: string | null;
  }>;
  readonly changes?: Partial<ImageInfo>;
}

export const uidOf = (number: number) => idOf(1000 + number);

/** A study of one image; `mounted`: in a mount of its own. */
export const studyWith = ({ number, on, teeth = [], mounted, changes }: Exposure, patientId = idOf(1)): Study => {
  const image = anImage(uidOf(number), { number, imageAcquiredDate: on, teeth: [...teeth], ...changes });
  const { activeImage: _, ...slot } = aSlot(mounted?.slot ?? 0, {
    teeth: mounted?.teeth ?? [...teeth],
    description: mounted?.description ?? null,
  });
  return study({
    id: idOf(2000 + number),
    uid: `2.25.${number}`,
    patientId,
    series: [series([image])],
    viewsets: mounted
      ? [
          {
            viewSetUuid: idOf(3000 + number),
            name: 'Bitewing',
            templateUUID: mounted.template === null ? null : idOf(4000 + mounted.template),
            filledSlots: 1,
            slots: 4,
            mounted: [{ ...slot, imageUid: image.uid }],
          },
        ]
      : [],
  });
};
