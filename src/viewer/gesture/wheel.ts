interface WheelInput {
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
}

const pixelsPerLine = 16;
const pixelsPerPage = 400;

/** Returns the wheel distance in CSS pixels. */
export const wheelPixels = ({ deltaY, deltaMode }: Pick<WheelInput, 'deltaY' | 'deltaMode'>): number =>
  deltaY * (deltaMode === 1 ? pixelsPerLine : deltaMode === 2 ? pixelsPerPage : 1);

/** Whether a wheel event is a pinch on a touch pad: Ctrl with small steps; a real wheel has large steps. */
export const isPadPinch = (input: WheelInput): boolean =>
  input.ctrlKey && input.deltaMode === 0 && Math.abs(input.deltaY) < 40;

/** Returns the zoom factor of a wheel event or a pinch on a touch pad. */
export const wheelFactor = (input: WheelInput): number => {
  const bounded = Math.min(200, Math.max(-200, wheelPixels(input)));
  return Math.exp(-bounded * (isPadPinch(input) ? 0.01 : 0.002));
};

/** CSS pixels of wheel distance per frame: one notch of most wheels. */
export const pixelsPerFrame = 100;
