import type { Display, WindowChoice } from '../scene/scene.ts';

/** What a drag of brightness and contrast starts from. */
export interface WindowGrip {
  readonly window: WindowChoice;
  /** Modality values per CSS pixel. */
  readonly step: number;
  /** -1 where more of a value is shown darker. */
  readonly direction: 1 | -1;
  readonly smallestWidth: number;
}

interface Greys {
  /** The window that the display means, also where a LUT of the file is chosen. */
  readonly window: WindowChoice;
  readonly range: { readonly low: number; readonly high: number };
  readonly shownInverse: boolean;
}

/**
 * The pace follows the window (fine work in a narrow one) but never falls below a thousandth of the values of the
 * picture in two pixels, so that a window that is far too narrow can be left again.
 */
export const gripOf = (display: Display, { window, range, shownInverse }: Greys): WindowGrip => ({
  window,
  step: Math.max(window.width / 400, (range.high - range.low) / 2000, Number.EPSILON),
  direction: shownInverse === display.inverted ? 1 : -1,
  smallestWidth: window.function === 'LINEAR' ? 1 : Math.max((range.high - range.low) / 65536, 1e-6),
});

/** Right widens the window (less contrast), up makes brighter; both in CSS pixels from where the drag began. */
export const draggedWindow = (
  { window, step, direction, smallestWidth }: WindowGrip,
  right: number,
  down: number,
): WindowChoice => ({
  ...window,
  centre: window.centre + down * step * direction,
  width: Math.max(smallestWidth, window.width + right * step),
});
