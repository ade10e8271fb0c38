interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a mount is in the area of both: its corner, and units of the area per unit of the mount. */
export interface MountPart {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface MountPairLayout extends Size {
  readonly parts: readonly [MountPart, MountPart];
}

/** CSS pixels above a mount for its heading. */
const headingPixels = 26;
/** Space between mounts side by side, as a fraction of the height. */
const gapShare = 0.04;

/**
 * Places two mounts side by side or one above the other, whichever shows them larger, with space for a heading above each.
 * @param stage size in CSS pixels
 */
export const mountPairLayout = ([first, second]: readonly [Size, Size], stage: Size): MountPairLayout => {
  const [byHeight, byWidth] = [first.height / second.height, first.width / second.width];
  const gap = first.height * gapShare;
  const beside = { width: first.width + gap + second.width * byHeight, height: first.height, headings: 1 };
  const below = { width: first.width, height: first.height + second.height * byWidth, headings: 2 };
  /** CSS pixels per unit; above 0 on a stage without a size too. */
  const scaleOf = ({ width, height, headings }: typeof beside) =>
    Math.max(1e-6, Math.min(stage.width / width, (stage.height - headings * headingPixels) / height));
  const isBeside = scaleOf(beside) >= scaleOf(below);
  const shown = isBeside ? beside : below;
  const heading = headingPixels / scaleOf(shown);
  return {
    width: shown.width,
    height: shown.height + shown.headings * heading,
    parts: [
      { x: 0, y: heading, scale: 1 },
      isBeside
        ? { x: first.width + gap, y: heading, scale: byHeight }
        : { x: 0, y: 2 * heading + first.height, scale: byWidth },
    ],
  };
};
