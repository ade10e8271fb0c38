import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../domain/problem-error.ts';

/** A media range of `Accept` (RFC 9110 12.5.1), lower case; values of parameters without quotes. */
export interface MediaRange {
  readonly type: string;
  /** Of the parts, and how they are encoded: `*` for as stored. Null: not stated. */
  readonly partType: string | null;
  readonly transferSyntax: string | null;
  readonly quality: number;
}

const maxRanges = 100;

/** Splits at separators outside quotes. */
const split = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
};

const unquoted = (value: string): string => value.trim().replace(/^"(.*)"$/, '$1');

/** Orthanc puts all parameters into the quotes of the first: `type="image/jls; transfer-syntax=..."`. */
const parametersOf = (parts: readonly string[]): Map<string, string> => {
  const found = new Map<string, string>();
  for (const part of parts) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const [own = '', ...inside] = split(unquoted(value), ';');
    found.set(name.trim().toLowerCase(), own.trim().toLowerCase());
    for (const [innerName, innerValue] of parametersOf(inside)) found.set(innerName, innerValue);
  }
  return found;
};

const rangeOf = (text: string): MediaRange => {
  const [type = '', ...parts] = split(text, ';');
  const parameters = parametersOf(parts);
  const quality = Number(parameters.get('q') ?? '1');
  return {
    // A `+` in a query is a space.
    type: type.toLowerCase().replace(/^(application\/dicom) (json|xml)$/, '$1+$2'),
    partType: parameters.get('type')?.replace(/^(application\/dicom) (json|xml)$/, '$1+$2') ?? null,
    transferSyntax: parameters.get('transfer-syntax') ?? null,
    quality: Number.isFinite(quality) ? quality : 1,
  };
};

const any: MediaRange = { type: '*/*', partType: null, transferSyntax: null, quality: 1 };

/** Returns the media ranges of a text, the most wanted first; anything for none. */
export const mediaRanges = (accept: string | undefined): readonly MediaRange[] => {
  const ranges = split(accept ?? '', ',')
    .slice(0, maxRanges)
    .map(rangeOf);
  if (ranges.length === 0) return [any];
  return ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
};

/** Returns what the client accepts: the parameter `accept` of the query replaces the header (PS3.18 8.3.3.1). */
export const acceptedBy = (request: FastifyRequest, accept: string | undefined): readonly MediaRange[] =>
  mediaRanges(accept ?? request.headers.accept);

/** Returns the first reply that a range allows, in the order of the ranges. @throws ProblemError 'not-acceptable' */
export const chosenBy = <Reply>(
  ranges: readonly MediaRange[],
  replyFor: (range: MediaRange) => Reply | null,
): Reply => {
  for (const range of ranges) {
    const reply = replyFor(range);
    if (reply !== null) return reply;
  }
  throw new ProblemError('not-acceptable');
};

const jsonTypes = ['application/dicom+json', 'application/json'];

/** Returns the media type of a JSON reply. */
export const jsonTypeFor = ({ type }: MediaRange): string | null => {
  if (type === '*/*' || type === 'application/*') return 'application/dicom+json';
  return jsonTypes.includes(type) ? type : null;
};
