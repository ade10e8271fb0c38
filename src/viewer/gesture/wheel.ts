interface WheelTurn {
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
}

const pixelsPerLine = 16;
const pixelsPerPage = 400;

/** How far a turn goes, in CSS pixels. */
export const wheelPixels = ({ deltaY, deltaMode }: Pick<WheelTurn, 'deltaY' | 'deltaMode'>): number =>
  deltaY * (deltaMode === 1 ? pixelsPerLine : deltaMode === 2 ? pixelsPerPage : 1);

/** A pinch on a touch pad comes as a wheel with ctrl, in small steps; a real wheel with ctrl in large ones. */
export const isPadPinch = (turn: WheelTurn): boolean =>
  turn.ctrlKey && turn.deltaMode === 0 && Math.abs(turn.deltaY) < 40;

/** How much a turn of the wheel, or a pinch on a touch pad, enlarges. */
export const wheelFactor = (turn: WheelTurn): number => {
  const bounded = Math.min(200, Math.max(-200, wheelPixels(turn)));
  return Math.exp(-bounded * (isPadPinch(turn) ? 0.01 : 0.002));
};

/** CSS pixels of the wheel that stand for one frame: a notch of most wheels. */
export const pixelsPerFrame = 100;
