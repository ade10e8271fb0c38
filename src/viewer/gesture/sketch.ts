import type { Point } from '../scene/camera.ts';
import type { MarkPoint } from '../scene/measure.ts';

/** A line that a hand is drawing. */
export interface Draft {
  readonly imageId: string;
  readonly kind: 'length' | 'angle' | 'calibrate';
  /** The last one follows the pointer, until the line is done. */
  readonly points: readonly MarkPoint[];
  /** A calibration line that waits for its true length. */
  readonly done: boolean;
}

/** What a hand has under way over the pictures. It is drawn, and no part of the scene. */
export interface Sketch {
  readonly draft: Draft | null;
  readonly chosen: { readonly imageId: string; readonly markId: string } | null;
  /** Two corners of the rectangle of the region tool, in image points. */
  readonly region: { readonly imageId: string; readonly from: MarkPoint; readonly to: MarkPoint } | null;
  /** Where the magnifier is: device pixels of the stage. */
  readonly lens: Point | null;
  readonly lensFactor: number;
}

export interface SketchBook {
  readonly now: () => Sketch;
  readonly draw: (change: Partial<Sketch>) => void;
}

export const createSketchBook = (changed: () => void): SketchBook => {
  let sketch: Sketch = { draft: null, chosen: null, region: null, lens: null, lensFactor: 2 };
  return {
    now: () => sketch,
    draw: (change) => {
      const next = { ...sketch, ...change };
      const differs = (Object.keys(change) as (keyof Sketch)[]).some((key) => next[key] !== sketch[key]);
      sketch = next;
      if (differs) changed();
    },
  };
};
