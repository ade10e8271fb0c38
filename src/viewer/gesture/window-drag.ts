import { minimumWidth } from '../scene/effective-window.ts';
import type { Display, WindowChoice } from '../scene/scene.ts';

/** The state at the start of a window drag. */
export interface WindowDragStart {
  readonly window: WindowChoice;
  /** Modality values per CSS pixel. */
  readonly step: number;
  /** -1 when higher values are shown darker. */
  readonly direction: 1 | -1;
  readonly minWidth: number;
}

interface WindowInputs {
  /** The effective window, also when a VOI LUT is chosen. */
  readonly window: WindowChoice;
  readonly range: { readonly low: number; readonly high: number };
  readonly shownInverse: boolean;
}

/**
 * Returns the start state of a window drag. The step is proportional to the window width, but at least a thousandth of the value range
 * per two pixels, so that a much too narrow window can be widened again.
 */
export const windowDragStart = (display: Display, { window, range, shownInverse }: WindowInputs): WindowDragStart => ({
  window,
  step: Math.max(window.width / 400, (range.high - range.low) / 2000, Number.EPSILON),
  direction: shownInverse === display.inverted ? 1 : -1,
  minWidth: minimumWidth(window, range),
});

/** Returns the dragged window: right widens it (less contrast), up brightens; CSS pixels from the start of the drag. */
export const draggedWindow = (
  { window, step, direction, minWidth }: WindowDragStart,
  right: number,
  down: number,
): WindowChoice => ({
  ...window,
  centre: window.centre + down * step * direction,
  width: Math.max(minWidth, window.width + right * step),
});
