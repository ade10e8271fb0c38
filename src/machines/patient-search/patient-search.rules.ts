import { bounds, isSearchable, searchMinimumCharacters } from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';

/** What the archive answers: the first few hits, and how many there are in all. */
export interface Found {
  readonly hits: readonly Patient[];
  readonly totalCount: number;
  /** There may be more than `totalCount`: so many that they were not counted to the end. */
  readonly isTotalExact: boolean;
}

/** The text as it is asked for: without outer blanks, no longer than the archive takes. */
export const questionOf = (text: string): string => text.trim().slice(0, bounds.query[1]);

export const mayAsk = (text: string): boolean => isSearchable(questionOf(text));

/** Characters typed and characters needed, for the counter. */
export const countOf = (text: string) => ({ typed: text.trim().length, needed: searchMinimumCharacters });

export const placeOfPatient = (patientId: string): string => `/patient/${encodeURIComponent(patientId)}`;
export const placeOfSearch = (text: string): string => `/?q=${encodeURIComponent(questionOf(text))}`;
