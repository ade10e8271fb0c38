interface WheelTurn {
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
}

const pixelsPerLine = 16;
const pixelsPerPage = 400;

/** How much a turn of the wheel, or a pinch on a touch pad (reported as a wheel with ctrl), enlarges. */
export const wheelFactor = ({ deltaY, deltaMode, ctrlKey }: WheelTurn): number => {
  const pixels = deltaY * (deltaMode === 1 ? pixelsPerLine : deltaMode === 2 ? pixelsPerPage : 1);
  const bounded = Math.min(200, Math.max(-200, pixels));
  return Math.exp(-bounded * (ctrlKey ? 0.01 : 0.002));
};
