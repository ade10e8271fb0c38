import { type ImageKind, imageKindOf } from '../../../../contract/image-kinds.ts';
import { acquiredOf, type ImageInfo } from '../../../../contract/images.ts';
import { deciduousTeeth, jawOf, sextantOf, successorOf } from '../../../../contract/teeth.ts';
import { type MountedImage, teethOfImage } from '../patient/mounted-images.ts';
import { maxCompared, minCompared } from '../patient/patient-location.ts';
import type { HistoryView } from './history-url.ts';

/** An image in a history, with the teeth that it shows (ISO 3950). */
export interface HistoryImage {
  readonly image: ImageInfo;
  readonly kind: ImageKind;
  readonly teeth: readonly number[];
  /** Deciduous teeth among those asked for. */
  readonly deciduous: readonly number[];
  /** `YYYY-MM-DD`, or with a local time; null when not known. */
  readonly acquired: string | null;
}

/** All images of a patient, each in one group. */
export interface ToothHistory {
  /** Images of the teeth, oldest first. */
  readonly dated: readonly HistoryImage[];
  /** Images of the teeth without a date. */
  readonly undated: readonly HistoryImage[];
  readonly withoutTeeth: readonly HistoryImage[];
  /** Images of other teeth only. */
  readonly others: readonly HistoryImage[];
}

/** Returns whether a tooth belongs to a view. A deciduous tooth belongs to the place of its successor. */
export const isInView = ({ tooth, span }: Pick<HistoryView, 'tooth' | 'span'>, iso: number): boolean => {
  if (tooth === null || span === 'all') return true;
  if (span === 'jaw') return jawOf(iso) === jawOf(tooth);
  if (span === 'sextant') return sextantOf(iso) === sextantOf(tooth);
  return successorOf(iso) === successorOf(tooth);
};

/** After every date. */
const noDate = '~';

/** Oldest first; a date without time before the times of its day, then by number in the series. Without a date last. */
const byDate = (one: HistoryImage, other: HistoryImage): number => {
  const [early, late] = [one.acquired ?? noDate, other.acquired ?? noDate];
  if (early !== late) return early < late ? -1 : 1;
  return one.image.order - other.image.order || (one.image.uid < other.image.uid ? -1 : 1);
};

type Group = keyof ToothHistory;

const groupOf = (view: HistoryView, { kind, teeth, acquired }: HistoryImage): Group => {
  // A panoramic radiograph without teeth shows all of them.
  const isShown =
    teeth.some((tooth) => isInView(view, tooth)) || (view.panoramics && teeth.length === 0 && kind === 'panoramic');
  if (!isShown) return teeth.length === 0 ? 'withoutTeeth' : 'others';
  return acquired === null ? 'undated' : 'dated';
};

/** Sorts images into the groups of a view; each is in exactly one. Documents without a picture are left out. */
export const toothHistory = (images: readonly MountedImage[], view: HistoryView): ToothHistory => {
  const sorted = images
    .filter(({ kind }) => kind === 'image')
    .map((image): HistoryImage => {
      const teeth = teethOfImage(image);
      const kind = imageKindOf(image.seriesModalityValue, teeth);
      const deciduous = teeth.filter((tooth) => deciduousTeeth.includes(tooth) && isInView(view, tooth));
      return { image, kind, teeth, deciduous, acquired: acquiredOf(image) };
    })
    .sort(byDate);
  const groups = Map.groupBy(sorted, (one) => groupOf(view, one));
  const of = (group: Group) => groups.get(group) ?? [];
  return { dated: of('dated'), undated: of('undated'), withoutTeeth: of('withoutTeeth'), others: of('others') };
};

/** Returns the history with images of these kinds only; all for none. */
export const ofKinds = (history: ToothHistory, kinds: readonly ImageKind[]): ToothHistory => {
  if (kinds.length === 0) return history;
  const only = (images: readonly HistoryImage[]) => images.filter(({ kind }) => kinds.includes(kind));
  return {
    dated: only(history.dated),
    undated: only(history.undated),
    withoutTeeth: only(history.withoutTeeth),
    others: history.others,
  };
};

/** Returns the images of a history in the order in which they stand: by date, without date, without teeth. */
export const inOrder = ({ dated, undated, withoutTeeth }: ToothHistory): readonly HistoryImage[] => [
  ...dated,
  ...undated,
  ...withoutTeeth,
];

/** Returns the kinds of these images with their number, most frequent first. */
export const kindsOf = (images: readonly HistoryImage[]): readonly (readonly [kind: ImageKind, count: number])[] =>
  [...Map.groupBy(images, ({ kind }) => kind)]
    .map(([kind, all]) => [kind, all.length] as const)
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));

/** Returns the number of untagged panoramic radiographs, which `panoramics` adds. */
export const countPanoramics = (images: readonly MountedImage[]): number =>
  images.filter((image) => {
    const teeth = teethOfImage(image);
    const isUntagged = image.kind === 'image' && teeth.length === 0;
    return isUntagged && imageKindOf(image.seriesModalityValue, teeth) === 'panoramic';
  }).length;

/** Returns for each tooth the number of images in its history; a deciduous tooth counts its own images alone. */
export const imagesPerTooth = (images: readonly MountedImage[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const image of images) {
    const teeth = image.kind === 'image' ? teethOfImage(image) : [];
    for (const tooth of new Set([...teeth, ...teeth.map(successorOf)])) counts.set(tooth, (counts.get(tooth) ?? 0) + 1);
  }
  return counts;
};

/** Returns the places that an image shows, each once: permanent teeth, also for deciduous ones. */
export const placesOf = (image: MountedImage): readonly number[] => [...new Set(teethOfImage(image).map(successorOf))];

/**
 * Returns the images to compare, in the order of the history: the marked ones and the focused one. A single dated image is compared
 * with the one before it, the first one with the next. Null when there is no other, or when more than four are marked.
 */
export const toCompare = (
  history: ToothHistory,
  marked: ReadonlySet<string>,
  focused: string | null,
): readonly string[] | null => {
  const order = inOrder(history).map(({ image }) => image.uid);
  const chosen = new Set(order.filter((uid) => marked.has(uid)));
  if (chosen.size < minCompared && focused !== null && order.includes(focused)) chosen.add(focused);
  const at = history.dated.findIndex(({ image }) => chosen.has(image.uid));
  const other = history.dated[at - 1] ?? history.dated[at + 1];
  if (chosen.size === 1 && at >= 0 && other) chosen.add(other.image.uid);
  if (chosen.size < minCompared || chosen.size > maxCompared) return null;
  return order.filter((uid) => chosen.has(uid));
};
