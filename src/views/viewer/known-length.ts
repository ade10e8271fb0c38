/** Millimetres as a person types them, with comma or point; null for what is no length from 0.01 to 1,000 mm. */
export const knownLength = (typed: string): number | null => {
  const text = typed
    .trim()
    .replace(',', '.')
    .replace(/\s*mm$/i, '');
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(text)) return null;
  const millimetres = Number(text);
  return millimetres >= 0.01 && millimetres <= 1000 ? millimetres : null;
};

/** The calibration in which a line of `lengthPixels` pixel widths is `lengthMm` long; null where that is no calibration that can be kept. */
export const calibrationOf = (lengthPixels: number, lengthMm: number): { readonly mmPerPixel: number } | null => {
  const mmPerPixel = lengthMm / lengthPixels;
  return mmPerPixel > 0 && mmPerPixel <= 100 ? { mmPerPixel } : null;
};
