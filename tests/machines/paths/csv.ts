import type { TestPaths } from './document.ts';
import { factsOf, listed } from './facts.ts';
import type { Words } from './words.ts';

/** A spreadsheet takes such a beginning for a formula: the apostrophe says that it is text. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** RFC 4180, with the mark by which spreadsheets know UTF-8. */
export const tableOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;

const columns = [
  ...[
    'number',
    'machine',
    'goal',
    'start',
    'step',
    'happens',
    'event',
    'data',
    'expected',
    'stateId',
    'context',
    'result',
  ],
];

/** One row for each step. The first of a path is its beginning. */
export const csvOf = ({ machines }: TestPaths, words: Words): string =>
  tableOf([
    columns.map((name) => words.text(`paths.${name}`)),
    ...machines.flatMap(({ name, paths }) =>
      paths.flatMap(({ number, goals, start, begins, steps }) => {
        const first = { event: { type: '', text: words.text('paths.begins'), data: {} }, expected: begins };
        return [first, ...steps].map(({ event, expected }, index) => [
          ...[number, name, goals[0]?.text ?? words.text('paths.walk'), start, String(index), event.text, event.type],
          listed(factsOf(event.data, words)),
          expected.states.map(({ text }) => text).join('; '),
          expected.states.map(({ id }) => id).join('; '),
          listed(factsOf(expected.facts, words)),
          '',
        ]);
      }),
    ),
  ]);
