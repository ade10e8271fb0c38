import { useSelector } from '@xstate/react';
import { useCallback, useLayoutEffect, useMemo } from 'react';
import type { Display } from '../../../../contract/displays.ts';
import { isEqual } from '../../../machines/viewer/versioned.rules.ts';
import { selectSettingsOf, type ViewerActor } from '../../../machines/viewer/viewer.machine.ts';
import { freshSettings, type ImageSettings, type StageImage } from '../../../machines/viewer/viewer.rules.ts';
import type { ShownContent, ShownImage } from '../../app/shown-content.ts';
import { savedMarks } from './saved-marks.ts';
import { isSlice, type ShownSettings, savedSettings, shownImagesOf } from './scene-of-content.ts';

/** Returns an image as the viewer machine needs it. */
export const placeOfShown = ({ image, item, viewsetId }: ShownImage): StageImage => ({
  imageUid: image.uid,
  viewsetId,
  display: item ? item.display : image.display,
  displayVersion: item ? item.displayVersion : image.displayVersion,
  turn: item ? { rotation: item.rotation, horizontalFlip: item.horizontalFlip } : null,
  marks: savedMarks(image),
  calibration: image.calibration,
  marksVersion: image.marksVersion,
  frames: image.frames,
  slicesOf: viewsetId === null && isSlice(image) ? image.seriesUid : null,
});

/** Returns whether two lists have the same values. */
export const sameEach = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** Returns the settings of a scene. `pending`: measurements may still be saving, so the calibration is not final. */
const shownSettings = (settings: ImageSettings, shown: ShownImage, pending: ReadonlySet<string>): ShownSettings => {
  const isChangedHere = !isEqual(settings.calibration, shown.image.calibration);
  const isKnown = settings.isCalibrationKnown && (isChangedHere || !pending.has(shown.image.uid));
  return isKnown ? settings : { ...settings, calibration: 'unknown' };
};

/** Sends the shown images to the machine and returns how each is displayed. */
export const useSettings = (
  actor: ViewerActor,
  content: ShownContent,
  activeUid: string | null,
  pending: ReadonlySet<string>,
): ((shown: ShownImage) => ShownSettings) => {
  const shown = useMemo(() => shownImagesOf(content), [content]);
  useLayoutEffect(() => {
    actor.send({ type: 'images.shown', images: shown.map(placeOfShown) });
  }, [actor, shown]);
  useLayoutEffect(() => {
    if (activeUid !== null && shown.some(({ image }) => image.uid === activeUid))
      actor.send({ type: 'image.opened', imageUid: activeUid });
  }, [actor, shown, activeUid]);
  useLayoutEffect(() => () => actor.send({ type: 'viewer.closed' }), [actor]);

  const settings = useSelector(
    actor,
    (snapshot) => shown.map(({ image }) => selectSettingsOf(image.uid)(snapshot)),
    sameEach,
  );
  return useMemo(() => {
    const known = new Map(shown.map(({ image }, index) => [image.uid, settings[index]]));
    return (one: ShownImage) => {
      const machineSettings = known.get(one.image.uid);
      // Until the machine knows an image, its saved settings apply.
      return shownSettings(
        machineSettings && machineSettings !== freshSettings ? machineSettings : savedSettings(one),
        one,
        pending,
      );
    };
  }, [shown, settings, pending]);
};

/** Returns the settings with the display that is shown in place of the image's own. */
export const useShownSettings = (
  settingsOf: (shown: ShownImage) => ShownSettings,
  displayOf: (imageUid: string, display: Display) => Display,
): ((shown: ShownImage) => ShownSettings) =>
  useCallback(
    (shown) => {
      const settings = settingsOf(shown);
      const display = displayOf(shown.image.uid, settings.display);
      return display === settings.display ? settings : { ...settings, display };
    },
    [settingsOf, displayOf],
  );
