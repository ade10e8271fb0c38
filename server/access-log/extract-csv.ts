import { Readable } from 'node:stream';
import { byteOrderMark, csvRow } from '../../contract/csv.ts';
import type { Extract, ExtractLine } from './extract.ts';

/** Returns the extract as UTF-8 CSV: a header line, then one line per entry. */
export const csvExtract = (extract: Extract, lines: AsyncIterable<readonly ExtractLine[]>): Readable => {
  const { words, patient } = extract;
  const write = async function* () {
    yield byteOrderMark +
      csvRow([
        words.text('time'),
        words.text('extractWho'),
        words.text('extractRole'),
        words.text('extractUnit'),
        words.text('extractDid'),
        words.text('patient'),
        words.text('extractPersonalNumber'),
        words.text('extractUtc'),
      ]);
    for await (const some of lines)
      yield some
        .map((line) =>
          csvRow([
            line.time,
            line.who,
            line.role,
            line.unit,
            line.did,
            patient.name,
            patient.personal_number,
            line.utc,
          ]),
        )
        .join('');
  };
  return Readable.from(write(), { objectMode: false });
};
