import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

/** An image shown alone or in a comparison, and its slot. */
export interface ShownImage {
  readonly image: ImageInfo;
  /** Its slot in the open viewset; null when it is not mounted there. */
  readonly item: ViewsetItem | null;
  readonly viewsetId: string | null;
}

/** Why an earlier image was chosen. */
export type PriorMatch =
  | { readonly by: 'slot'; readonly description: string | null; readonly teeth: readonly number[] }
  /** The teeth that both show. */
  | { readonly by: 'teeth'; readonly teeth: readonly number[] }
  /** Same kind, side and region; the teeth of one are not known. */
  | { readonly by: 'region' };

/** A comparison of an image with an earlier one. */
export interface PriorComparison {
  readonly currentUid: string;
  readonly match: PriorMatch;
  /** Days of exposure, `YYYY-MM-DD`. */
  readonly priorDay: string;
  readonly currentDay: string;
  /** Whether a later image than this one, but earlier than the current, was matched too. */
  readonly hasLater: boolean;
  /** Number of matching images that are not offered because they have no date. */
  readonly undated: number;
}

/** Why an earlier mount was chosen: the same template, or images of the same teeth. */
export type MountMatch = 'template' | 'teeth';

/** An image and an earlier one that shows the same. */
export interface PriorPair {
  readonly priorUid: string;
  readonly currentUid: string;
}

/** A comparison of a mount with an earlier one. */
export interface MountComparison {
  readonly currentId: string;
  readonly match: MountMatch;
  readonly pairs: readonly PriorPair[];
  /** Latest days of exposure, `YYYY-MM-DD`. */
  readonly priorDay: string;
  readonly currentDay: string;
  /** Whether there is a later mount than this one, but earlier than the current. */
  readonly hasLater: boolean;
}

/** Content of the viewer workspace, derived from the URL. */
export type ShownContent =
  | { readonly kind: 'mount'; readonly viewset: Viewset }
  /** A mount and an earlier one, from left to right or top to bottom as the user prefers. */
  | { readonly kind: 'mounts'; readonly viewsets: readonly [Viewset, Viewset]; readonly prior: MountComparison }
  | { readonly kind: 'image'; readonly shown: ShownImage }
  /** Two to four images. `prior`: one of two is an earlier image of the other, from left to right as the user prefers. */
  | { readonly kind: 'compare'; readonly images: readonly ShownImage[]; readonly prior: PriorComparison | null };
