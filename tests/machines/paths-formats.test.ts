import { describe, expect, it } from 'vitest';
import { languages } from '../../src/views/language/languages.ts';
import { machines } from './models/index.ts';
import { csvOf, tableOf } from './paths/csv.ts';
import { testPaths, testPathsSchema } from './paths/document.ts';
import { filesOf, textOf } from './paths/files.ts';
import { gherkinOf, keywords } from './paths/gherkin.ts';
import { escaped, markdownOf } from './paths/markdown.ts';
import { wordsOf } from './paths/words.ts';
import { testPathsOf } from './paths/written.ts';

const asked = machines.filter(({ id }) => ['connection', 'patient-search', 'two-factor'].includes(id));
const wish = { cover: 'transitions', walks: 2, seed: 7 } as const;

/** A second reader of RFC 4180. */
const rowsOf = (csv: string): readonly (readonly string[])[] => {
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], '', false];
  const text = csv.replace(/^\uFEFF/, '');
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quoted && sign === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && sign === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
      at += 1;
    } else cell += sign;
  }
  expect([row, cell, quoted], 'ends with a line break').toEqual([[], '', false]);
  return rows;
};

describe.each(languages)('test paths in %s', (language) => {
  const words = wordsOf(language);
  const paths = testPathsOf(asked, wish, words);
  const all = paths.machines.flatMap((machine) => machine.paths);
  const stepCount = all.reduce((sum, { steps }) => sum + steps.length + 1, 0);

  it('are JSON that keeps its schema, and all there', () => {
    const read = testPaths.parse(JSON.parse(textOf(paths, 'json', words)));
    expect(read).toEqual(paths);
    expect(read.machines.every(({ unreached }) => unreached.length === 0)).toBe(true);
    expect(all.filter(({ kind }) => kind === 'walk')).toHaveLength(6);
    expect(testPathsSchema()).toMatchObject({ type: 'object', required: expect.arrayContaining(['machines']) });
  });

  it('are a table with a row for each step', () => {
    const [head, ...rows] = rowsOf(csvOf(paths, words));
    expect(rows).toHaveLength(stepCount);
    for (const row of rows) expect(row).toHaveLength(head?.length ?? 0);
    const numbers = [...new Set(rows.map(([number]) => number))];
    expect(numbers).toEqual(all.map(({ number }) => number));
    const first = all[0];
    expect(rows.slice(0, (first?.steps.length ?? 0) + 1).map((row) => row[6])).toEqual([
      '',
      ...(first?.steps.map(({ event }) => event.type) ?? []),
    ]);
  });

  it('are Markdown with a table for each path', () => {
    const lines = markdownOf(paths, words).split('\n');
    expect(lines.filter((line) => line.startsWith('### '))).toHaveLength(all.length);
    const rows = lines.filter((line) => /^\| \d+ \|/.test(line));
    expect(rows).toHaveLength(stepCount);
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(8);
  });

  it('are Gherkin in the words of the language', () => {
    for (const machine of paths.machines) {
      const [first, ...lines] = gherkinOf(machine, words).split('\n');
      expect(first).toBe(`# language: ${language}`);
      const { feature, scenario, start, event, outcome, and } = keywords[language];
      const starting = (word: string) => lines.filter((line) => line.trimStart().startsWith(`${word}`));
      expect(starting(`${feature}:`)).toHaveLength(1);
      expect(starting(`${scenario}:`)).toHaveLength(machine.paths.length);
      expect(starting(`${start} `)).toHaveLength(machine.paths.length);
      const steps = machine.paths.reduce((sum, path) => sum + path.steps.length, 0);
      expect(starting(`    ${event} `.trim()).length).toBeGreaterThanOrEqual(steps);
      const body = lines.slice(4).filter((line) => line !== '');
      const known = [`  ${scenario}: `, ...[start, event, outcome, and].map((word) => `    ${word} `)];
      const isKnown = (line: string) =>
        known.some((beginning) => line.startsWith(beginning)) ||
        /^ {2}@[A-Z]+-\w+$/.test(line) ||
        /^ {6}\|.*\|$/.test(line);
      expect(body.filter((line) => !isKnown(line))).toEqual([]);
    }
  });
});

describe('files', () => {
  const words = wordsOf('en');
  const paths = testPathsOf(asked, wish, words);

  it('are one for each machine, with the schema beside JSON', () => {
    expect(filesOf(paths, 'gherkin', words).map(({ name }) => name)).toEqual([
      'connection.feature',
      'patient-search.feature',
      'two-factor.feature',
    ]);
    const json = filesOf(paths, 'json', words);
    expect(json.at(-1)?.name).toBe('paths.schema.json');
    expect(testPaths.parse(JSON.parse(json[0]?.text ?? '')).machines.map(({ id }) => id)).toEqual(['connection']);
  });

  it('say what data to use, how long to wait, and why a call fails', () => {
    const text = textOf(paths, 'markdown', words);
    expect(text).toContain('code: 123 456');
    expect(text).toContain('Milliseconds: 5000');
    expect(text).toMatch(/Reason: [^|]+\(incorrect-code\)/);
  });

  it('hold nothing that a spreadsheet would run, and nothing that Markdown would take for its own', () => {
    expect(rowsOf(tableOf([['=1+1', '@a', '-1', '+1', 'a"b', 'a,b', 'a\r\nb']]))).toEqual([
      ["'=1+1", "'@a", "'-1", "'+1", 'a"b', 'a,b', 'a\r\nb'],
    ]);
    expect(escaped('a|b *c* <d>\ne')).toBe('a\\|b \\*c\\* \\<d\\> e');
  });
});
