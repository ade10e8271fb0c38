import { Readable } from 'node:stream';
import type { Extract, ExtractLine } from './extract.ts';

/** Excel and its like run a cell that begins so, white space before it or not; an apostrophe in front makes it text. */
const runsAsFormula = /^[\s\0]*[=+\-@|%＝＋－＠]|^[\t\r\n]/;

/**
 * A cell by RFC 4180. Parted by semicolons: the comma is the decimal sign in Swedish, Danish and Norwegian, and the spreadsheets of these
 * countries part columns by the semicolon alone.
 */
export const csvCell = (text: string): string => {
  const harmless = runsAsFormula.test(text) ? `'${text}` : text;
  return /[";,\r\n\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const row = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`;

const byteOrderMark = '\uFEFF';

/** The extract as CSV in UTF-8, one line an entry below a line of headings. */
export const csvExtract = (extract: Extract, lines: AsyncIterable<readonly ExtractLine[]>): Readable => {
  const { words, patient } = extract;
  const write = async function* () {
    yield byteOrderMark +
      row([
        ...[words.text('time'), words.text('extractWho'), words.text('extractRole'), words.text('extractUnit')],
        ...[words.text('extractDid'), words.text('patient'), words.text('extractPersonalNumber')],
        words.text('extractUtc'),
      ]);
    for await (const some of lines)
      yield some
        .map((line) =>
          row([
            ...[line.time, line.who, line.role, line.unit, line.did],
            ...[patient.name, patient.personal_number, line.utc],
          ]),
        )
        .join('');
  };
  return Readable.from(write(), { objectMode: false });
};
