import { plainDisplay } from '../../../contract/displays.ts';
import type { Display, WindowChoice } from './scene.ts';

const turned = (rotation: number, quarters: number): number => (((rotation + quarters * 90) % 360) + 360) % 360;

/** Rotates by `quarters` times 90° clockwise; negative values rotate counterclockwise. */
export const rotated = (display: Display, quarters = 1): Display => ({
  ...display,
  rotation: turned(display.rotation, quarters),
});

/** Flips left and right as seen on the screen: a flip after a rotation equals the inverse rotation after a flip. */
export const flippedHorizontally = (display: Display): Display => ({
  ...display,
  horizontalFlip: !display.horizontalFlip,
  rotation: turned(0, -display.rotation / 90),
});

/** Flips up and down as seen on the screen. */
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

/** Turns the noise filter off, or on with the settings `last` (default: a mild edge-preserving one). */
export const noiseToggled = (
  display: Display,
  last: Display['noise'] = { kind: 'bilateral', strength: 0.5 },
): Display => ({
  ...display,
  noise: display.noise.kind === 'none' || display.noise.strength === 0 ? last : plainDisplay.noise,
});

/** Turns sharpening (or smoothing) off, or on with the strength `last`. */
export const sharpenToggled = (display: Display, last = 0.5): Display => ({
  ...display,
  sharpness: display.sharpness === 0 ? last : 0,
});

/** Resets everything but rotation and flip to the display that the file specifies. */
export const withDefaultGreyscale = (display: Display): Display => ({
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
