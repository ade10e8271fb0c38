import type { TestPaths } from './document.ts';
import { factsOf, listed, toolText } from './facts.ts';

/** A spreadsheet reads such a cell as a formula; an apostrophe marks it as text. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Returns CSV (RFC 4180) with the byte order mark that spreadsheets need for UTF-8. */
export const csvTable = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;

const columns = [
  'Number',
  'Machine',
  'Goal',
  'Start',
  'Step',
  'What happens',
  'How to make it happen',
  'By hand or tool',
  'Data to use',
  'Expected state',
  'Expected values',
  'Name of the event',
  'Name of the state',
  'Result',
];

const initialEvent = { type: '', text: 'Start', data: {}, how: '', tool: null };

/** Returns one row per step; the first row of a path is its start. */
export const csvOf = ({ machines }: TestPaths): string =>
  csvTable([
    columns,
    ...machines.flatMap(({ name, paths }) =>
      paths.flatMap(({ number, goals, start, initial, steps }) =>
        [{ event: initialEvent, expected: initial }, ...steps].map(({ event, expected }, index) => [
          number,
          name,
          goals[0]?.text ?? 'Random walk',
          start,
          String(index),
          event.text,
          event.how,
          index === 0 ? '' : toolText(event.tool),
          listed(factsOf(event.data)),
          expected.states.map(({ text }) => text).join('; '),
          listed(factsOf(expected.facts)),
          event.type,
          expected.states.map(({ id }) => id).join('; '),
          '',
        ]),
      ),
    ),
  ]);
