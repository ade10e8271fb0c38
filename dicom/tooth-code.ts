import { snomedTeeth } from './teeth.ts';
import type { DataSet } from './write/data-set.ts';

const places = [
  'central incisor',
  'lateral incisor',
  'canine',
  'first premolar',
  'second premolar',
  'first molar',
  'second molar',
  'third molar',
] as const;
const quadrants = ['maxillary right', 'maxillary left', 'mandibular left', 'mandibular right'] as const;

const codeByTooth = new Map(Object.entries(snomedTeeth).map(([code, tooth]) => [tooth, code]));

const meaningOf = (tooth: number): string => {
  const [digit, position] = [Math.floor(tooth / 10), tooth % 10];
  const isDeciduous = digit > 4;
  const quadrant = quadrants[(digit - 1) % 4] ?? '';
  // Deciduous molars follow the canine.
  const place = places[(isDeciduous && position > 3 ? position + 2 : position) - 1] ?? '';
  const meaning = `${isDeciduous ? 'deciduous ' : ''}${quadrant} ${place} tooth`;
  return meaning.charAt(0).toUpperCase() + meaning.slice(1);
};

/**
 * Returns a tooth of ISO 3950 as a code item (PS3.16 CID 4018 and CID 4019, SNOMED CT), as the Primary Anatomic Structure Sequence takes it.
 * @throws RangeError for a number that is no tooth of ISO 3950
 */
export const toothCode = (tooth: number): DataSet => {
  const code = codeByTooth.get(tooth);
  if (code === undefined) throw new RangeError(`${tooth} is not an ISO 3950 tooth`);
  return { CodeValue: code, CodingSchemeDesignator: 'SCT', CodeMeaning: meaningOf(tooth) };
};
