import { fewestCompared, mostCompared, type Place } from './place.ts';

/**
 * The place that puts an image beside those that are compared, or takes it away; null when there is nothing beside which it could stand,
 * or no room. Whoever takes one of two away is left with the other alone.
 */
export const withCompared = (place: Place, imageUid: string): Place | null => {
  const shown = place.compare.length > 0 ? place.compare : place.imageUid ? [place.imageUid] : [];
  if (place.compare.includes(imageUid)) {
    const left = shown.filter((uid) => uid !== imageUid);
    if (left.length >= fewestCompared) return { ...place, imageUid: null, compare: left };
    return { ...place, imageUid: left[0] ?? null, compare: [] };
  }
  if (shown.length === 0 || shown.includes(imageUid) || shown.length >= mostCompared) return null;
  return { ...place, imageUid: null, compare: [...shown, imageUid] };
};
