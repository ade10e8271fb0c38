import { plainDisplay } from '../../../contract/displays.ts';
import type { Display, WindowChoice } from './scene.ts';

const turned = (rotation: number, quarters: number): number => (((rotation + quarters * 90) % 360) + 360) % 360;

/** A quarter clockwise for each of `quarters`; negative turns the other way. */
export const rotated = (display: Display, quarters = 1): Display => ({
  ...display,
  rotation: turned(display.rotation, quarters),
});

/** Left and right as seen on the screen swapped, whatever the rotation: mirror after turn = turn back after mirror. */
export const flippedHorizontally = (display: Display): Display => ({
  ...display,
  horizontalFlip: !display.horizontalFlip,
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

/** The noise filter put away, or taken out as it was `last` (or a gentle one that keeps edges). */
export const noiseToggled = (
  display: Display,
  last: Display['noise'] = { kind: 'bilateral', strength: 0.5 },
): Display => ({
  ...display,
  noise: display.noise.kind === 'none' || display.noise.strength === 0 ? last : plainDisplay.noise,
});

/** Sharpening (or smoothing) put away, or taken out as it was `last`. */
export const sharpenToggled = (display: Display, last = 0.5): Display => ({
  ...display,
  sharpness: display.sharpness === 0 ? last : 0,
});

/** Grey values as the file asks for them, with turn and flip kept: what "reset the greys" means. */
export const withPlainGreys = (display: Display): Display => ({
  ...plainDisplay,
  rotation: display.rotation,
  horizontalFlip: display.horizontalFlip,
});

export const sameDisplay = (one: Display, other: Display): boolean =>
  one === other ||
  (sameVoi(one.voi, other.voi) &&
    one.inverted === other.inverted &&
    one.gamma === other.gamma &&
    one.rotation === other.rotation &&
    one.horizontalFlip === other.horizontalFlip &&
    one.noise.kind === other.noise.kind &&
    one.noise.strength === other.noise.strength &&
    one.sharpness === other.sharpness &&
    one.equalisation === other.equalisation &&
    one.palette === other.palette);

const sameVoi = (one: Display['voi'], other: Display['voi']): boolean =>
  one === null || other === null
    ? one === other
    : one.kind === 'lut'
      ? other.kind === 'lut' && one.index === other.index
      : other.kind === 'window' &&
        one.centre === other.centre &&
        one.width === other.width &&
        one.function === other.function;
