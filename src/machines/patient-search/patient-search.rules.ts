import { bounds, isSearchable, searchMinimumCharacters } from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';

/** Search result: the first hits and the total count. */
export interface Found {
  readonly hits: readonly Patient[];
  /** Patients with similar names, where few match. */
  readonly similar: readonly Patient[];
  readonly totalCount: number;
  /** False if there are more than `totalCount`: the count stops at a limit. */
  readonly isTotalExact: boolean;
}

/** Returns the search text, trimmed and cut to the length that the archive accepts. */
export const queryOf = (text: string): string => text.trim().slice(0, bounds.query[1]);

export const canSearch = (text: string): boolean => isSearchable(queryOf(text));

/** Returns the numbers of characters typed and needed, for the counter. */
export const countOf = (text: string) => ({ typed: text.trim().length, needed: searchMinimumCharacters });

export const patientPath = (patientId: string): string => `/patient/${encodeURIComponent(patientId)}`;
export const searchPath = (text: string): string => `/?q=${encodeURIComponent(queryOf(text))}`;
