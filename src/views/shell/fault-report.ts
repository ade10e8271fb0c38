import { decoded } from '../parts/decoded.ts';

/** What somebody needs to find a fault, and nothing about anybody: no ids, no numbers, no texts of the page, no message of the error. */
export interface Fault {
  readonly error: unknown;
  /** Path of the page, without its query. */
  readonly place: string;
  readonly at: Date;
  readonly browser: string;
}

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Anything that might be somebody's: ids, personal numbers, UIDs. */
const withoutIds = (text: string): string => text.replace(uuid, ':id').replace(/\d[\d.\-+ ]{5,}\d/g, ':number');

/** `/patient/1f.../1.2.840.../` -> `/patient/:id/:number/`: which page, not whose. */
const pageOf = (place: string): string => withoutIds(decoded(place.split(/[?#]/, 1)[0] ?? ''));

/** Frames of a stack: a function and a place in our own files. Chrome repeats the message above them, which may quote what a person typed. */
const frames = (stack: string): string[] =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(at\s|[^\s@]*@)/.test(line))
    .map((line) => withoutIds(line.replace(/\(?https?:\/\/[^/]+/, (origin) => (origin.startsWith('(') ? '(' : ''))))
    .slice(0, 12);

/** A report for whoever looks after the archive. Plain text; the names of the files say which build it was. */
export const faultReport = ({ error, place, at, browser }: Fault): string => {
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
