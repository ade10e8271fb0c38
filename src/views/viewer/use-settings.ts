import { useSelector } from '@xstate/react';
import { useLayoutEffect, useMemo } from 'react';
import { selectSettingsOf, type ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import { freshSettings, type ImagePlace } from '../../machines/viewer/viewer.rules.ts';
import type { ShownContent, ShownImage } from '../shown-content.ts';
import { shownImagesOf } from './room-content.ts';
import { type KeptSettings, toldSettings } from './scene-of-content.ts';

/** An image of the page as the viewer's machine hears of it. */
export const placeOfShown = ({ image, item, viewsetId }: ShownImage): ImagePlace => ({
  imageUid: image.uid,
  viewsetId,
  display: item ? item.display : image.display,
  displayVersion: item ? item.displayVersion : image.displayVersion,
  turn: item ? { rotation: item.rotation, horizontalFlip: item.horizontalFlip } : null,
  marks: image.marks,
  calibration: image.calibration,
  marksVersion: image.marksVersion,
  frames: image.frames,
});

const sameEach = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** Tells the machine what is on the stage, and hears from it how each image is to be shown. */
export const useSettings = (
  actor: ViewerActor,
  content: ShownContent,
  inHand: string | null,
): ((shown: ShownImage) => KeptSettings) => {
  const shown = useMemo(() => shownImagesOf(content), [content]);
  useLayoutEffect(() => {
    actor.send({ type: 'images.shown', places: shown.map(placeOfShown) });
  }, [actor, shown]);
  useLayoutEffect(() => {
    if (inHand !== null && shown.some(({ image }) => image.uid === inHand))
      actor.send({ type: 'image.opened', imageUid: inHand });
  }, [actor, shown, inHand]);
  useLayoutEffect(() => () => actor.send({ type: 'viewer.closed' }), [actor]);

  const settings = useSelector(
    actor,
    (snapshot) => shown.map(({ image }) => selectSettingsOf(image.uid)(snapshot)),
    sameEach,
  );
  return useMemo(() => {
    const known = new Map(shown.map(({ image }, index) => [image.uid, settings[index]]));
    return (one: ShownImage) => {
      const kept = known.get(one.image.uid);
      // Until the machine has heard of an image, what the archive says of it holds.
      return kept && kept !== freshSettings ? kept : toldSettings(one);
    };
  }, [shown, settings]);
};
