import { snomedTeeth } from '../dicom/teeth.ts';
import type { DataSet } from '../dicom/write/data-set.ts';

const PLACE = [
  'central incisor',
  'lateral incisor',
  'canine',
  'first premolar',
  'second premolar',
  'first molar',
  'second molar',
  'third molar',
] as const;
const QUADRANT = ['Maxillary right', 'Maxillary left', 'Mandibular left', 'Mandibular right'] as const;

const codeByTooth = new Map(Object.entries(snomedTeeth).map(([code, tooth]) => [tooth, code]));

/**
 * A permanent tooth as a code item (DICOM PS3.16 CID 4018, SNOMED CT), as the Primary Anatomic Structure Sequence takes it.
 * @throws RangeError for a number that is no permanent tooth of ISO 3950.
 */
export const toothCode = (tooth: number): DataSet => {
  const code = codeByTooth.get(tooth);
  const quadrant = QUADRANT[Math.floor(tooth / 10) - 1];
  const place = PLACE[(tooth % 10) - 1];
  if (code === undefined || quadrant === undefined || place === undefined) {
    throw new RangeError(`${tooth} is not a permanent tooth`);
  }
  return { CodeValue: code, CodingSchemeDesignator: 'SCT', CodeMeaning: `${quadrant} ${place} tooth` };
};

/** Side that the teeth lie on: R (quadrants 1 and 4), L (2 and 3), B for both (DICOM PS3.3 C.8.11.9). */
export const lateralityOf = (teeth: readonly number[]): 'R' | 'L' | 'B' => {
  const right = teeth.some((tooth) => [1, 4].includes(Math.floor(tooth / 10)));
  const left = teeth.some((tooth) => [2, 3].includes(Math.floor(tooth / 10)));
  return right && left ? 'B' : right ? 'R' : left ? 'L' : 'B';
};
