import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface GreyRow {
  readonly file: string;
  readonly frame: number;
  readonly mode: string;
  readonly syntax: string;
  readonly largest: number;
  readonly limit: number;
  readonly over: number;
  readonly pixels: number;
  readonly note: string;
}

const file = path.resolve(import.meta.dirname, '../../test-results/grey-values.md');

/** Writes what was measured as a Markdown table. */
export const writeGreyTable = (rows: readonly GreyRow[]): void => {
  const exact = rows.filter(({ largest }) => largest === 0).length;
  const lines = rows.map(
    ({ file: name, frame, mode, syntax, largest, limit, over, pixels, note }) =>
      `| ${name} | ${frame} | ${mode} | ${syntax} | ${largest} | ${limit} | ${over} | ${pixels} | ${note} |`,
  );
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    [
      '# Grey values: the viewer beside reference renderings',
      '',
      'Each file goes through the loader, the decode worker and the GPU at 1:1; grey values and colours of 0 to 255 are compared.',
      `${rows.length} pictures, ${exact} of them equal in every pixel.`,
      '',
      '| file | frame | shown by | transfer syntax | largest difference | limit | pixels over | pixels | note |',
      '|---|---|---|---|---|---|---|---|---|',
      ...lines,
      '',
    ].join('\n'),
  );
};
