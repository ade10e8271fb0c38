import type { Claim } from '../../../contract/claims.ts';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { Series, Study } from '../../../contract/studies.ts';

/** A mount as listed with its study. */
export type ListedViewset = Study['viewsets'][number];

/** A requested change to a record; a dialog collects the details. */
export type EditRequest =
  | { readonly kind: 'edit-patient'; readonly patient: Patient }
  | { readonly kind: 'delete-patient'; readonly patient: Patient }
  /** Moves all studies of the patient to another patient. */
  | { readonly kind: 'merge-patient'; readonly patient: Patient }
  | { readonly kind: 'edit-study'; readonly study: Study }
  /** Downloads the images for a recipient. */
  | { readonly kind: 'download-patient'; readonly patient: Patient }
  /** Lists the links by which images are shared. */
  | { readonly kind: 'shared-links'; readonly patient: Patient }
  /** Orders images, and lists the orders. */
  | { readonly kind: 'order-images'; readonly patient: Patient }
  | { readonly kind: 'download-study'; readonly study: Study }
  | { readonly kind: 'download-viewset'; readonly viewsetId: string }
  /** Sends the images to a DICOM device. */
  | { readonly kind: 'send-patient'; readonly patient: Patient }
  /** Fetches studies from a DICOM device. */
  | { readonly kind: 'fetch-patient'; readonly patient: Patient }
  | { readonly kind: 'send-study'; readonly study: Study }
  | { readonly kind: 'move-study'; readonly study: Study }
  | { readonly kind: 'move-series'; readonly study: Study; readonly series: Series }
  | { readonly kind: 'move-image'; readonly image: ImageInfo }
  | { readonly kind: 'delete-study'; readonly study: Study }
  | { readonly kind: 'delete-series'; readonly study: Study; readonly series: Series }
  /** `slotTeeth`: teeth of the slot where the image is mounted; shown unless a user set others. */
  | { readonly kind: 'edit-image'; readonly image: ImageInfo; readonly slotTeeth: readonly number[] }
  | { readonly kind: 'delete-image'; readonly image: ImageInfo }
  /** `study`: default study of the new mount. */
  | { readonly kind: 'new-viewset'; readonly study: Study | null }
  | { readonly kind: 'edit-viewset'; readonly viewsetId: string }
  | { readonly kind: 'delete-viewset'; readonly viewset: ListedViewset };

export type EditKind = EditRequest['kind'];

/** The claim that disables each action; actions not listed are allowed to everyone who can see the patient. */
export const disablingClaim: Readonly<Partial<Record<EditKind, Claim>>> = {
  'move-study': 'disable.move_study',
  'move-series': 'disable.move_study',
  'move-image': 'disable.move_study',
  'delete-study': 'disable.delete_study',
  'delete-series': 'disable.delete_study',
  'delete-image': 'disable.delete_study',
  'delete-viewset': 'disable.delete_view_set',
  'new-viewset': 'disable.new_series',
  'download-patient': 'disable.open',
  'download-study': 'disable.open',
  'download-viewset': 'disable.open',
  'send-patient': 'disable.open',
  'send-study': 'disable.open',
  'fetch-patient': 'disable.new_study',
  'shared-links': 'disable.open',
};

/** Opens edit dialogs, and returns which of them are disabled for this user. */
export interface EditActions {
  readonly request: (edit: EditRequest) => void;
  /** Returns why the action is disabled, in the user's language; null when it is enabled. */
  readonly disabledReason: (kind: EditKind) => string | null;
}

/** Records that were deleted or moved to another patient, so that the page can leave them. */
export interface Gone {
  readonly viewsetIds: readonly string[];
  readonly seriesUids: readonly string[];
  readonly imageUids: readonly string[];
}
