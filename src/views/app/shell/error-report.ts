import { decoded } from '../../ui/decoded.ts';

/** Facts needed to find an error, without personal data: no ids, numbers, page text or error message. */
export interface CaughtError {
  readonly error: unknown;
  /** Path of the page, without its query. */
  readonly place: string;
  readonly at: Date;
  readonly browser: string;
}

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Removes ids, personal numbers and UIDs. */
const withoutIds = (text: string): string => text.replace(uuid, ':id').replace(/\d[\d.\-+ ]{5,}\d/g, ':number');

/** `/patient/1f.../1.2.840.../` -> `/patient/:id/:number/`. */
const pageOf = (place: string): string => withoutIds(decoded(place.split(/[?#]/, 1)[0] ?? ''));

/** Returns stack frames (function and file). Chrome repeats the error message above them, which may quote user input. */
const frames = (stack: string): string[] =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(at\s|[^\s@]*@)/.test(line))
    .map((line) => withoutIds(line.replace(/\(?https?:\/\/[^/]+/, (origin) => (origin.startsWith('(') ? '(' : ''))))
    .slice(0, 12);

/** Returns a plain-text report for the administrator; file names identify the build. */
export const errorReport = ({ error, place, at, browser }: CaughtError): string => {
  const known = error instanceof Error;
  return [
    'Dentarium',
    `page: ${pageOf(place)}`,
    `time: ${at.toISOString().slice(0, 19)}Z`,
    `browser: ${browser}`,
    `error: ${known ? error.name : typeof error}`,
    ...(known ? frames(error.stack ?? '') : []),
  ].join('\n');
};
