import type { Display, Rotation, WindowChoice } from './scene.ts';

const turned = (rotation: Rotation, quarters: number): Rotation => {
  const turns = (((rotation / 90 + quarters) % 4) + 4) % 4;
  return turns === 0 ? 0 : turns === 1 ? 90 : turns === 2 ? 180 : 270;
};

/** A quarter clockwise for each of `quarters`; negative turns the other way. */
export const rotated = (display: Display, quarters = 1): Display => ({
  ...display,
  rotation: turned(display.rotation, quarters),
});

/** Left and right as seen on the screen swapped, whatever the rotation: mirror after turn = turn back after mirror. */
export const flippedHorizontally = (display: Display): Display => ({
  ...display,
  flipped: !display.flipped,
  rotation: turned(0, -display.rotation / 90),
});

/** Up and down as seen on the screen swapped. */
export const flippedVertically = (display: Display): Display => rotated(flippedHorizontally(display), 2);

export const inverted = (display: Display): Display => ({ ...display, inverted: !display.inverted });

export const withWindow = (display: Display, window: Omit<WindowChoice, 'kind'>): Display => ({
  ...display,
  voi: { kind: 'window', ...window },
});

export const withGamma = (display: Display, gamma: number): Display => ({
  ...display,
  gamma: Math.min(10, Math.max(0.1, gamma)),
});

/** Grey values as the file asks for them, with turn and flip kept: what "reset the greys" means. */
export const withGreysOf = (display: Display, original: Display): Display => ({
  ...original,
  rotation: display.rotation,
  flipped: display.flipped,
});

export const sameDisplay = (one: Display | null, other: Display | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    sameVoi(one.voi, other.voi) &&
    one.inverted === other.inverted &&
    one.gamma === other.gamma &&
    one.rotation === other.rotation &&
    one.flipped === other.flipped &&
    one.noise === other.noise &&
    one.sharpness === other.sharpness);

const sameVoi = (one: Display['voi'], other: Display['voi']): boolean =>
  one.kind === 'lut'
    ? other.kind === 'lut' && one.index === other.index
    : other.kind === 'window' &&
      one.centre === other.centre &&
      one.width === other.width &&
      one.function === other.function;
