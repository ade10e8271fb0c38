import type { DataSet } from './data-set.ts';
import { tags } from './tags.ts';

/** SNOMED CT codes of CID 4018 (permanent) and CID 4019 (deciduous), to tooth numbers of ISO 3950. */
export const snomedTeeth: Readonly<Record<string, number>> = {
  422653006: 11,
  424877001: 12,
  860767006: 13,
  57826002: 14,
  36492000: 15,
  865995000: 16,
  863902006: 17,
  68085002: 18,
  424399000: 21,
  423185002: 22,
  860780009: 23,
  61897005: 24,
  23226009: 25,
  865988009: 26,
  863901004: 27,
  87704003: 28,
  425106001: 31,
  423331005: 32,
  860782001: 33,
  2400006: 34,
  24573005: 35,
  866006002: 36,
  863898000: 37,
  74344005: 38,
  424575004: 41,
  423937004: 42,
  860785004: 43,
  80140008: 44,
  8873007: 45,
  866005003: 46,
  863899008: 47,
  38994002: 48,
  88824007: 51,
  65624003: 52,
  30618001: 53,
  17505006: 54,
  27855007: 55,
  51678005: 61,
  43622005: 62,
  73937000: 63,
  45234009: 64,
  51943008: 65,
  89552004: 71,
  14770005: 72,
  43281008: 73,
  38896004: 74,
  49330006: 75,
  67834006: 81,
  22445006: 82,
  6062009: 83,
  58646007: 84,
  61868007: 85,
};

/** SNOMED-RT style codes T-54210 to T-54520, in steps of ten, from tooth 18 to 28 and from 38 to 48. */
const permanentAround = [
  18, 17, 16, 15, 14, 13, 12, 11, 21, 22, 23, 24, 25, 26, 27, 28, 38, 37, 36, 35, 34, 33, 32, 31, 41, 42, 43, 44, 45,
  46, 47, 48,
];

const bySnomedRt = (code: string): number | null => {
  const number = /^T-54(\d\d)0$/.exec(code)?.[1];
  return number === undefined ? null : (permanentAround[Number(number) - 21] ?? null);
};

const positions: readonly (readonly [RegExp, number])[] = [
  [/central incisor/, 1],
  [/lateral incisor/, 2],
  [/canine|cuspid tooth/, 3],
  [/first (premolar|bicuspid)/, 4],
  [/second (premolar|bicuspid)/, 5],
  [/first molar/, 6],
  [/second molar/, 7],
  [/third molar/, 8],
];

/** The English code meaning of the standard: "Maxillary right third molar tooth". */
const byMeaning = (meaning: string): number | null => {
  const text = meaning.toLowerCase();
  const upper = /maxillary|upper/.test(text);
  const lower = /mandibular|lower/.test(text);
  const right = /right/.test(text);
  const left = /left/.test(text);
  const position = positions.find(([pattern]) => pattern.test(text))?.[1];
  if (upper === lower || right === left || position === undefined) return null;
  const deciduous = /primary|deciduous|temporary/.test(text);
  // ISO 3950 counts the quadrants clockwise as one faces the patient: upper right, upper left, lower left, lower right.
  const quadrant = upper ? (right ? 1 : 2) : left ? 3 : 4;
  if (!deciduous) return quadrant * 10 + position;
  const milk = position >= 6 ? position - 2 : position;
  return milk <= 5 && (position < 4 || position >= 6) ? (quadrant + 4) * 10 + milk : null;
};

const toothOf = (item: DataSet): number | null => {
  const code = item.code(tags.codeValue) ?? '';
  const scheme = item.code(tags.codingSchemeDesignator)?.toUpperCase() ?? '';
  if (/ISO ?3950|FDI/.test(scheme)) return /^([1-4][1-8]|[5-8][1-5])$/.test(code) ? Number(code) : null;
  return snomedTeeth[code] ?? bySnomedRt(code) ?? byMeaning(item.text(tags.codeMeaning) ?? '');
};

/** Returns the teeth that code items name, each once. Other codes are ignored. */
export const teethOfCodes = (items: readonly DataSet[]): readonly number[] => [
  ...new Set(items.map(toothOf).filter((tooth) => tooth !== null)),
];

/**
 * Returns the teeth shown by an image, in ISO 3950 numbers, in the order of the header: the items of Primary Anatomic
 * Structure Sequence (0008,2228), PS3.3 C.8.11.9. Other structures are ignored.
 */
export const readTeeth = (dataSet: DataSet): readonly number[] =>
  teethOfCodes(dataSet.sequence(tags.primaryAnatomicStructureSequence));
