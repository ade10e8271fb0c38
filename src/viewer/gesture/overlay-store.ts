import type { Point } from '../scene/camera.ts';
import type { MarkPoint } from '../scene/measure.ts';
import type { MarkTool } from '../scene/scene.ts';

/** A mark that is being drawn. */
export interface Draft {
  readonly imageId: string;
  readonly kind: MarkTool;
  /** The last one follows the pointer, until the line is done. */
  readonly points: readonly MarkPoint[];
  /** True for a calibration line that waits for its true length, and for a text that is being typed. */
  readonly done: boolean;
  /** Arrow keys move the last point; the pointer takes over when it moves. */
  readonly byKeys?: boolean;
  /** A text that is being changed; absent for new marks. */
  readonly changed?: { readonly markId: string; readonly text: string };
}

export interface MarkReference {
  readonly imageId: string;
  readonly markId: string;
}

/** Temporary drawings over the images that are not part of the scene. */
export interface OverlayState {
  readonly draft: Draft | null;
  readonly chosen: MarkReference | null;
  /** The mark under the pointer. */
  readonly hovered: MarkReference | null;
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
  let overlay: OverlayState = { draft: null, chosen: null, hovered: null, region: null, lens: null, lensFactor: 2 };
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
