/** D50 XYZ of CIELab in linear sRGB (Bradford adaptation). */
const xyzToRgb = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
const whiteD50 = [0.9642, 1, 0.8249] as const;

const byte = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 255);

const hex = (red: number, green: number, blue: number): string =>
  `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const encoded = (linear: number): number =>
  linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.max(0, linear) ** (1 / 2.4) - 0.055;

const labInverse = (value: number): number => {
  const cube = value ** 3;
  return cube > 216 / 24389 ? cube : (116 * value - 16) / (24389 / 27);
};

/** Returns `#rrggbb` in sRGB of a CIELab value as DICOM encodes it (PS3.3 C.10.7.1.1); null when it has not three numbers. */
export const colourOfCieLab = (values: readonly number[]): string | null => {
  const [l, a, b] = values;
  if (l === undefined || a === undefined || b === undefined) return null;
  const lightness = (l / 65535) * 100;
  const y = (lightness + 16) / 116;
  const x = y + ((a / 65535) * 255 - 128) / 500;
  const z = y - ((b / 65535) * 255 - 128) / 200;
  const xyz = [labInverse(x) * whiteD50[0], labInverse(y) * whiteD50[1], labInverse(z) * whiteD50[2]] as const;
  const [red, green, blue] = xyzToRgb.map((row) =>
    byte(encoded(row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2])),
  ) as [number, number, number];
  return hex(red, green, blue);
};

/** Returns `#rrggbb` of a P-value, 0 to 65535. */
export const colourOfPValue = (value: number): string => {
  const grey = byte(value / 65535);
  return hex(grey, grey, grey);
};

/** Returns `#rrggbb` of three P-values, 0 to 65535 (retired); null when there are not three. */
export const colourOfRgb = (values: readonly number[]): string | null => {
  const [red, green, blue] = values;
  if (red === undefined || green === undefined || blue === undefined) return null;
  return hex(byte(red / 65535), byte(green / 65535), byte(blue / 65535));
};
