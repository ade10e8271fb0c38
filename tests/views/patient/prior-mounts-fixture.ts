import type { Study } from '../../../contract/studies.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { anImage, aSlot, aViewset, idOf } from '../records.ts';
import { uidOf } from './priors-fixture.ts';

export interface MountExposure {
  readonly number: number;
  /** `YYYY-MM-DD`; by default the day of its mount. */
  readonly on?: string | null;
  readonly teeth: readonly number[];
}

export interface MountOf {
  readonly number: number;
  readonly on: string | null;
  readonly template: number | null;
  /** By slot; null: an empty slot. */
  readonly images: readonly (MountExposure | null)[];
}

export const mountIdOf = (number: number) => idOf(3000 + number);

/** A mount, and its study in the list. */
export const mountWith = (
  { number, on, template, images }: MountOf,
  patientId = idOf(1),
): { readonly study: Study; readonly viewset: Viewset } => {
  const items = images.map((one, index) =>
    aSlot(index, {
      teeth: [...(one?.teeth ?? [])],
      activeImage:
        one &&
        anImage(uidOf(one.number), { number: one.number, imageAcquiredDate: one.on === undefined ? on : one.on }),
    }),
  );
  const mounted = items.flatMap(({ activeImage, ...slot }) =>
    activeImage ? [{ ...slot, imageUid: activeImage.uid }] : [],
  );
  const templateUUID = template === null ? null : idOf(4000 + template);
  return {
    study: study({
      id: idOf(2000 + number),
      uid: `2.25.${number}`,
      patientId,
      series: [series(items.flatMap(({ activeImage }) => activeImage ?? []))],
      viewsets: [
        {
          viewSetUuid: mountIdOf(number),
          name: `Mount ${number}`,
          templateUUID,
          filledSlots: mounted.length,
          slots: items.length,
          mounted,
        },
      ],
    }),
    viewset: aViewset(items, { viewSetUuid: mountIdOf(number), name: `Mount ${number}`, templateUUID, patientId }),
  };
};
