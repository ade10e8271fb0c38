import { plainDisplay } from '../../../contract/displays.ts';
import type { Display, WindowChoice } from './scene.ts';

const rotationAfter = (rotation: number, quarters: number): number => (((rotation + quarters * 90) % 360) + 360) % 360;

/** Rotates by `quarters` times 90° clockwise; negative values rotate counterclockwise. */
export const rotated = (display: Display, quarters = 1): Display => ({
  ...display,
  rotation: rotationAfter(display.rotation, quarters),
});

/** Mirrors left and right on the screen. The stored flip is applied before the rotation, so the rotation is negated. */
export const flippedHorizontally = (display: Display): Display => ({
  ...display,
  horizontalFlip: !display.horizontalFlip,
  rotation: rotationAfter(0, -display.rotation / 90),
});

/** Mirrors up and down on the screen. */
export const flippedVertically = (display: Display): Display => rotated(flippedHorizontally(display), 2);

export const inverted = (display: Display): Display => ({ ...display, inverted: !display.inverted });

export const withWindow = (display: Display, window: Omit<WindowChoice, 'kind'>): Display => ({
  ...display,
  voi: { kind: 'window', ...window },
});

/** Returns the display with gamma limited to 0.1 to 10. */
export const withGamma = (display: Display, gamma: number): Display => ({
  ...display,
  gamma: Math.min(10, Math.max(0.1, gamma)),
});

/** Turns the noise filter off, or on with `lastNoise` (default: bilateral, strength 0.5). */
export const noiseToggled = (
  display: Display,
  lastNoise: Display['noise'] = { kind: 'bilateral', strength: 0.5 },
): Display => ({
  ...display,
  noise: display.noise.kind === 'none' || display.noise.strength === 0 ? lastNoise : plainDisplay.noise,
});

/** Turns sharpening (or smoothing) off, or on with the strength `lastSharpness`. */
export const sharpenToggled = (display: Display, lastSharpness = 0.5): Display => ({
  ...display,
  sharpness: display.sharpness === 0 ? lastSharpness : 0,
});

/** Resets the display to the defaults of the file; rotation and flip stay. */
export const withDefaultsExceptOrientation = (display: Display): Display => ({
  ...plainDisplay,
  rotation: display.rotation,
  horizontalFlip: display.horizontalFlip,
});

export const isSameDisplay = (one: Display, other: Display): boolean =>
  one === other ||
  (isSameVoi(one.voi, other.voi) &&
    one.inverted === other.inverted &&
    one.gamma === other.gamma &&
    one.rotation === other.rotation &&
    one.horizontalFlip === other.horizontalFlip &&
    one.noise.kind === other.noise.kind &&
    one.noise.strength === other.noise.strength &&
    one.sharpness === other.sharpness &&
    one.equalisation === other.equalisation &&
    one.palette === other.palette);

const isSameVoi = (one: Display['voi'], other: Display['voi']): boolean =>
  one === null || other === null
    ? one === other
    : one.kind === 'lut'
      ? other.kind === 'lut' && one.index === other.index
      : other.kind === 'window' &&
        one.centre === other.centre &&
        one.width === other.width &&
        one.function === other.function;
