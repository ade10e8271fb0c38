import type { Point } from '../scene/camera.ts';
import type { MarkPoint } from '../scene/measure.ts';

/** A line that is being drawn. */
export interface Draft {
  readonly imageId: string;
  readonly kind: 'length' | 'angle' | 'calibrate';
  /** The last one follows the pointer, until the line is done. */
  readonly points: readonly MarkPoint[];
  /** True for a calibration line that waits for its true length. */
  readonly done: boolean;
}

/** Temporary drawings over the images that are not part of the scene. */
export interface OverlayState {
  readonly draft: Draft | null;
  readonly chosen: { readonly imageId: string; readonly markId: string } | null;
  /** Two corners of the rectangle of the region tool, in image points. */
  readonly region: { readonly imageId: string; readonly from: MarkPoint; readonly to: MarkPoint } | null;
  /** Position of the magnifier, in device pixels of the stage. */
  readonly lens: Point | null;
  readonly lensFactor: number;
}

export interface OverlayStore {
  readonly get: () => OverlayState;
  readonly update: (change: Partial<OverlayState>) => void;
}

export const createOverlayStore = (changed: () => void): OverlayStore => {
  let overlay: OverlayState = { draft: null, chosen: null, region: null, lens: null, lensFactor: 2 };
  return {
    get: () => overlay,
    update: (change) => {
      const next = { ...overlay, ...change };
      const differs = (Object.keys(change) as (keyof OverlayState)[]).some((key) => next[key] !== overlay[key]);
      overlay = next;
      if (differs) changed();
    },
  };
};
