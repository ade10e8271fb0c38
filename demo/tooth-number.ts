import type { ToothNumber } from './recipe.ts';

const isPermanent = (text: string): text is ToothNumber => /^[1-4][1-8]$/.test(text);

/** Converts an ISO 3950 number to a tooth of a recipe. @throws RangeError for deciduous teeth, which the phantom lacks */
export const permanentToothNumber = (tooth: number): ToothNumber => {
  const text = String(tooth);
  if (!isPermanent(text)) throw new RangeError(`${tooth} is not a permanent tooth`);
  return text;
};
