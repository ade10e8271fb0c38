import { useCallback, useState } from 'react';
import { type Display, plainDisplay } from '../../../../contract/displays.ts';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import { isEqual } from '../../../machines/viewer/versioned.rules.ts';
import type { ViewerActor } from '../../../machines/viewer/viewer.machine.ts';
import type { ImageStates } from './use-image-states.ts';

interface Chosen {
  readonly state: PresentationState;
  /** The display before a state was chosen. While the image has it, the display of the state is shown in its place. */
  readonly before: Display;
}

/** The states that the user chose for images. Neither the choice nor its display is saved, and none is chosen by itself. */
export interface ChosenStates {
  readonly of: (imageUid: string) => PresentationState | null;
  /** Returns the display to show of an image that has `display`: that of its chosen state until the user changes it. */
  readonly displayOf: (imageUid: string, display: Display) => Display;
  /** Shows the active image with a state; null: as stored. */
  readonly choose: (state: PresentationState | null) => void;
  /** Returns the active image to the display of its state; false without one. */
  readonly reset: () => boolean;
}

/** The grey values of a state are the default of the image while it is shown with it, so that only the orientation is set. */
const displayOfState = ({ rotation, horizontalFlip }: PresentationState): Display => ({
  ...plainDisplay,
  rotation,
  horizontalFlip,
});

/** Holds the chosen states. `active`: the display that the active image has, and that of its file in its slot. */
export const useChosenStates = (
  viewer: ViewerActor,
  states: ImageStates | null,
  active: { readonly display: Display; readonly plain: Display } | null,
): ChosenStates => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());

  const activeUid = states?.imageUid;
  const known = states?.states;

  /** The same functions until a state changes: the scene depends on them. */
  const of = useCallback(
    (imageUid: string): PresentationState | null => {
      const state = chosen.get(imageUid)?.state ?? null;
      if (state === null || activeUid !== imageUid || !known) return state;
      // It may have been deleted or moved meanwhile.
      return known.find(({ id }) => id === state.id) ?? null;
    },
    [chosen, activeUid, known],
  );
  const displayOf = useCallback(
    (imageUid: string, display: Display): Display => {
      const state = of(imageUid);
      return state && isEqual(display, chosen.get(imageUid)?.before) ? displayOfState(state) : display;
    },
    [chosen, of],
  );

  /** Returns the active image to the display that it had: with the displayed area of a state, or whole on the stage. */
  const restore = (imageUid: string, before: Display, plain: Display, state: PresentationState | null) => {
    const view = state && state.areas.length > 0 ? 'area' : 'fit';
    const isPlain = isEqual(before, plain);
    if (isPlain) viewer.send({ type: 'image.reset' });
    if (!isPlain || view === 'area') viewer.send({ type: 'display.settled', imageUid, display: before, view });
  };

  const choose = (state: PresentationState | null) => {
    if (!states || !active) return;
    const { imageUid } = states;
    const before = chosen.get(imageUid)?.before ?? active.display;
    const next = new Map(chosen);
    if (state) next.set(imageUid, { state, before });
    else next.delete(imageUid);
    setChosen(next);
    restore(imageUid, before, active.plain, state);
  };

  return {
    of,
    displayOf,
    choose,
    reset: () => {
      const state = states && of(states.imageUid);
      const before = states && chosen.get(states.imageUid)?.before;
      if (!state || !before || !active) return false;
      restore(states.imageUid, before, active.plain, state);
      return true;
    },
  };
};
