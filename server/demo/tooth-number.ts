import type { ToothNumber } from './recipe.ts';

const isPermanent = (text: string): text is ToothNumber => /^[1-4][1-8]$/.test(text);

/** A permanent tooth of ISO 3950 as the recipe of an image names it. @throws RangeError for another one: the phantom has no deciduous teeth */
export const permanentToothNumber = (tooth: number): ToothNumber => {
  const text = String(tooth);
  if (!isPermanent(text)) throw new RangeError(`${tooth} is not a permanent tooth`);
  return text;
};
