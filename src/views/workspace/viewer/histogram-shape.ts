import type { Histogram } from '../../../viewer/index.ts';

/**
 * Returns the outline of a histogram as an SVG path. Heights are square roots of the counts, so that tissue is visible
 * beside the many background pixels.
 */
export const histogramPath = ({ counts }: Pick<Histogram, 'counts'>, width: number, height: number): string => {
  // The first and last bin hold clipped values and would flatten the rest.
  const inner = counts.length > 4 ? counts.subarray(1, -1) : counts;
  const tallest = Math.sqrt(inner.reduce((top, count) => Math.max(top, count), 1));
  const step = width / counts.length;
  const points = [...counts].map((count, bin) => {
    const y = height - Math.min(1, Math.sqrt(count) / tallest) * height;
    return `${(bin * step).toFixed(1)},${y.toFixed(1)} ${((bin + 1) * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return `M0,${height} L${points.join(' ')} L${width},${height} Z`;
};

export interface WindowEdges {
  readonly low: number;
  readonly high: number;
}

/** Returns the lowest and highest value of a window. */
export const edgesOf = ({ centre, width }: { centre: number; width: number }): WindowEdges => ({
  low: centre - width / 2,
  high: centre + width / 2,
});

export type WindowHandle = 'low' | 'centre' | 'high';

/** Returns the window after moving one handle. Moving an edge keeps the other. */
export const movedHandle = (
  handle: WindowHandle,
  value: number,
  window: { readonly centre: number; readonly width: number },
  smallest: number,
): { readonly centre: number; readonly width: number } => {
  if (handle === 'centre') return { ...window, centre: value };
  const { low, high } = edgesOf(window);
  const moved = handle === 'low' ? Math.min(value, high - smallest) : Math.max(value, low + smallest);
  return handle === 'low'
    ? { centre: (moved + high) / 2, width: high - moved }
    : { centre: (low + moved) / 2, width: moved - low };
};

/** Returns the VOI curve as SVG points over the range: black at the bottom, white at the top. */
export const curvePoints = (
  window: { readonly centre: number; readonly width: number },
  range: WindowEdges,
  reversed: boolean,
  width: number,
  height: number,
): string => {
  const { low, high } = edgesOf(window);
  const span = Math.max(range.high - range.low, 1e-6);
  const within = (value: number) => Math.min(range.high, Math.max(range.low, value));
  return [range.low, within(low), within(high), range.high]
    .map((value) => {
      const grey = Math.min(1, Math.max(0, (value - low) / Math.max(high - low, 1e-6)));
      const x = ((value - range.low) / span) * width;
      const y = height * (reversed ? grey : 1 - grey);
      return `${Math.round(x * 100) / 100},${Math.round(y * 100) / 100}`;
    })
    .join(' ');
};
