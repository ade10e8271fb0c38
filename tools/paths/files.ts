import { csvOf } from './csv.ts';
import { type TestPaths, testPathsSchema } from './document.ts';
import { gherkinOf } from './gherkin.ts';
import { markdownOf } from './markdown.ts';
import type { Format } from './options.ts';
import { type Changes, changesAsCsv, changesAsMarkdown } from './since.ts';

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

const extensions: Readonly<Record<Format, string>> = { markdown: 'md', json: 'json', csv: 'csv', gherkin: 'feature' };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns test paths as one text. */
export const textOf = (paths: TestPaths, format: Format): string => {
  if (format === 'json') return json(paths);
  if (format === 'csv') return csvOf(paths);
  if (format === 'markdown') return markdownOf(paths);
  return paths.machines.map(gherkinOf).join('\n');
};

/** Returns one file per machine; for JSON also the schema. */
export const filesOf = (paths: TestPaths, format: Format): readonly TextFile[] => [
  ...paths.machines.map((machine) => ({
    name: `${machine.id}.${extensions[format]}`,
    text: textOf({ ...paths, machines: [machine] }, format),
  })),
  ...(format === 'json' ? [{ name: 'paths.schema.json', text: json(testPathsSchema()) }] : []),
];

export const changesFile = (changes: Changes, format: Format): TextFile => {
  const name = `changes.${extensions[format]}`;
  if (format === 'json') return { name, text: json(changes) };
  return { name, text: (format === 'csv' ? changesAsCsv : changesAsMarkdown)(changes) };
};
