import { csvOf } from './csv.ts';
import { type TestPaths, testPathsSchema } from './document.ts';
import { gherkinOf } from './gherkin.ts';
import { markdownOf } from './markdown.ts';
import type { Format } from './options.ts';
import { type Changes, changesAsCsv, changesAsMarkdown } from './since.ts';
import type { Words } from './words.ts';

export interface WrittenFile {
  readonly name: string;
  readonly text: string;
}

const endings: Readonly<Record<Format, string>> = { markdown: 'md', json: 'json', csv: 'csv', gherkin: 'feature' };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Test paths as one text. */
export const textOf = (paths: TestPaths, format: Format, words: Words): string => {
  if (format === 'json') return json(paths);
  if (format === 'csv') return csvOf(paths, words);
  if (format === 'markdown') return markdownOf(paths, words);
  return paths.machines.map((machine) => gherkinOf(machine, words)).join('\n');
};

/** A file for each machine; beside JSON its schema. */
export const filesOf = (paths: TestPaths, format: Format, words: Words): readonly WrittenFile[] => [
  ...paths.machines.map((machine) => ({
    name: `${machine.id}.${endings[format]}`,
    text: textOf({ ...paths, machines: [machine] }, format, words),
  })),
  ...(format === 'json' ? [{ name: 'paths.schema.json', text: json(testPathsSchema()) }] : []),
];

export const changesFile = (changes: Changes, format: Format, words: Words): WrittenFile => {
  const name = `changes.${endings[format]}`;
  if (format === 'json') return { name, text: json(changes) };
  return { name, text: (format === 'csv' ? changesAsCsv : changesAsMarkdown)(changes, words) };
};
