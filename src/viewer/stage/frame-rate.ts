/** A frame with a longer delay than this after its request counts as slow (slow GPU or software rendering). */
const slowMs = 28;
const slowFrames = 2;

/** Detects slow frames during a gesture, so that images are drawn more coarsely until it ends. */
export interface FrameRateMonitor {
  /** Records a frame that is drawn `delayMs` after its request. Returns whether to draw it coarsely. */
  readonly next: (isActive: boolean, delayMs: number) => boolean;
  readonly isCoarse: () => boolean;
  /** Assumes slow frames from the start, for software rendering. */
  readonly expectSlow: () => void;
}

export const createFrameRateMonitor = (): FrameRateMonitor => {
  let slow = 0;
  let expected = false;
  return {
    next: (isActive, delayMs) => {
      if (!isActive) slow = 0;
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
