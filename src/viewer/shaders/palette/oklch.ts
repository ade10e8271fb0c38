/** Red, green and blue of sRGB, 0 to 1 each. */
export type Colour = readonly [red: number, green: number, blue: number];

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

/** Linear light of OKLab coordinates (B. Ottosson, "A perceptual color space for image processing", 2020). */
const linearOf = (lightness: number, a: number, b: number): Colour => {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
};

/** OKLab lightness (0 to 1) of a grey of sRGB (0 to 1). */
export const lightnessOf = (grey: number): number => Math.cbrt(toLinear(grey));

/** OKLab lightness of a colour. */
export const colourLightness = ([red, green, blue]: Colour): number => {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  return (
    0.2104542553 * Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) +
    0.793617785 * Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) -
    0.0040720468 * Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  );
};

const isShown = (colour: Colour): boolean => colour.every((channel) => channel >= -1e-6 && channel <= 1 + 1e-6);

const onCircle = (lightness: number, chroma: number, hue: number): Colour => {
  const turn = (hue * Math.PI) / 180;
  return linearOf(lightness, chroma * Math.cos(turn), chroma * Math.sin(turn));
};

/** Returns the largest chroma inside sRGB at this lightness and hue (degrees). */
export const maxChroma = (lightness: number, hue: number): number => {
  let low = 0;
  let high = 0.4;
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2;
    if (isShown(onCircle(lightness, middle, hue))) low = middle;
    else high = middle;
  }
  return low;
};

/** Returns the sRGB colour of this lightness, chroma and hue (degrees), clipped to the gamut. */
export const fromOklch = (lightness: number, chroma: number, hue: number): Colour => {
  const [red, green, blue] = onCircle(lightness, chroma, hue);
  const shown = (light: number) => fromLinear(Math.min(1, Math.max(0, light)));
  return [shown(red), shown(green), shown(blue)];
};
