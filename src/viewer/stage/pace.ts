/** A frame that comes later than this after it was asked for has waited for a slow GPU, or for none at all. */
const slowMs = 28;
const slowFrames = 2;

/** Tells when this machine cannot keep up with a hand, so that it is drawn more coarsely until the hand lets go. */
export interface Pace {
  /** A frame is about to be drawn, `delayMs` after it was asked for. Returns whether to draw it coarsely. */
  readonly next: (inHand: boolean, delayMs: number) => boolean;
  readonly isCoarse: () => boolean;
  /** Nothing draws here but the processor: no need to find out first. */
  readonly expectSlow: () => void;
}

export const createPace = (): Pace => {
  let slow = 0;
  let expected = false;
  return {
    next: (inHand, delayMs) => {
      if (!inHand) slow = 0;
      else if (expected) slow = slowFrames;
      else if (delayMs > slowMs) slow++;
      return slow >= slowFrames;
    },
    isCoarse: () => slow >= slowFrames,
    expectSlow: () => {
      expected = true;
    },
  };
};
