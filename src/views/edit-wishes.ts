import type { Claim } from '../../contract/claims.ts';
import type { ImageInfo } from '../../contract/images.ts';
import type { Patient } from '../../contract/patients.ts';
import type { Series, Study } from '../../contract/studies.ts';

/** A mount as the list of studies tells of it. */
export type ListedViewset = Study['viewsets'][number];

/** What a person wants done to a record; a dialog asks for the rest. */
export type EditWish =
  | { readonly kind: 'edit-patient'; readonly patient: Patient }
  | { readonly kind: 'delete-patient'; readonly patient: Patient }
  /** Moves all studies of the patient to another one. */
  | { readonly kind: 'merge-patient'; readonly patient: Patient }
  | { readonly kind: 'edit-study'; readonly study: Study }
  | { readonly kind: 'delete-study'; readonly study: Study }
  | { readonly kind: 'delete-series'; readonly study: Study; readonly series: Series }
  /** `slotTeeth`: those of the slot in which it hangs, none in no slot. They show unless a person set others. */
  | { readonly kind: 'edit-image'; readonly image: ImageInfo; readonly slotTeeth: readonly number[] }
  | { readonly kind: 'delete-image'; readonly image: ImageInfo }
  /** `study`: where the new mount goes unless the person chooses a new study. */
  | { readonly kind: 'new-viewset'; readonly study: Study | null }
  | { readonly kind: 'edit-viewset'; readonly viewsetId: string }
  | { readonly kind: 'delete-viewset'; readonly viewset: ListedViewset };

export type EditKind = EditWish['kind'];

/** The claim that takes each right away; what is not here, everybody may who sees the patient. */
export const barringClaim: Readonly<Partial<Record<EditKind, Claim>>> = {
  'delete-study': 'disable.delete_study',
  'delete-series': 'disable.delete_study',
  'delete-image': 'disable.delete_study',
  'delete-viewset': 'disable.delete_view_set',
  'new-viewset': 'disable.new_series',
};

/** The doors to the dialogs, and which of them are shut for this person. */
export interface EditActions {
  readonly ask: (wish: EditWish) => void;
  /** Why this person may not, in their language; null when they may. */
  readonly barred: (kind: EditKind) => string | null;
}

/** What was deleted, so that the page does not stay where nothing is. */
export interface Gone {
  readonly viewsetIds: readonly string[];
  readonly seriesUids: readonly string[];
  readonly imageUids: readonly string[];
}
