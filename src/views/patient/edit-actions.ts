import { createContext, useContext } from 'react';
import type { EditActions, Gone } from '../edit-wishes.ts';
import { fewestCompared, type Place } from './place.ts';

const EditActionsContext = createContext<EditActions | null>(null);

/** Around the patient's page; without it the menus of editing are absent. */
export const EditActionsProvider = EditActionsContext.Provider;

export const useEditActions = (): EditActions | null => useContext(EditActionsContext);

/** Where to be when something was deleted; the same place when it still stands. */
export const placeWithout = (place: Place, gone: Gone): Place => {
  if (place.viewsetId && gone.viewsetIds.includes(place.viewsetId))
    return { series: null, viewsetId: null, imageUid: null, compare: [] };
  const compare = place.compare.filter((uid) => !gone.imageUids.includes(uid));
  const isImageGone = place.imageUid !== null && gone.imageUids.includes(place.imageUid);
  const isSeriesGone = !place.viewsetId && place.series !== null && gone.seriesUids.includes(place.series);
  if (!isImageGone && !isSeriesGone && compare.length === place.compare.length) return place;
  return {
    series: place.viewsetId ? place.series : null,
    viewsetId: place.viewsetId,
    imageUid: isImageGone || isSeriesGone ? null : place.imageUid,
    compare: compare.length < fewestCompared ? [] : compare,
  };
};
