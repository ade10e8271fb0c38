import { describe, expect, it } from 'vitest';
import { csvOf, csvTable } from '../../tools/paths/csv.ts';
import { testPaths, testPathsSchema } from '../../tools/paths/document.ts';
import { filesOf, textOf } from '../../tools/paths/files.ts';
import { gherkinOf } from '../../tools/paths/gherkin.ts';
import { escaped, markdownOf } from '../../tools/paths/markdown.ts';
import { testPathsOf } from '../../tools/paths/path-documents.ts';
import { machines } from './models/index.ts';

const chosen = machines.filter(({ id }) => ['connection', 'patient-search', 'two-factor'].includes(id));
const options = { cover: 'transitions', walks: 2, seed: 7 } as const;

/** Parses RFC 4180, independently of the program. */
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

const paths = testPathsOf(chosen, options);

describe('test paths', () => {
  const all = paths.machines.flatMap((machine) => machine.paths);
  const stepCount = all.reduce((sum, { steps }) => sum + steps.length + 1, 0);

  it('are JSON of the schema', () => {
    const read = testPaths.parse(JSON.parse(textOf(paths, 'json')));
    expect(read).toEqual(paths);
    expect(read.machines.every(({ unreached }) => unreached.length === 0)).toBe(true);
    expect(all.filter(({ kind }) => kind === 'walk')).toHaveLength(6);
    expect(testPathsSchema()).toMatchObject({ type: 'object', required: expect.arrayContaining(['machines']) });
  });

  it('are a table with a row for each step', () => {
    const [head, ...rows] = rowsOf(csvOf(paths));
    expect(rows).toHaveLength(stepCount);
    for (const row of rows) expect(row).toHaveLength(head?.length ?? 0);
    const numbers = [...new Set(rows.map(([number]) => number))];
    expect(numbers).toEqual(all.map(({ number }) => number));
    const first = all[0];
    expect(rows.slice(0, (first?.steps.length ?? 0) + 1).map((row) => row[11])).toEqual([
      '',
      ...(first?.steps.map(({ event }) => event.type) ?? []),
    ]);
  });

  it('are Markdown with a table for each path', () => {
    const lines = markdownOf(paths).split('\n');
    expect(lines.filter((line) => line.startsWith('### '))).toHaveLength(all.length);
    const rows = lines.filter((line) => /^\| \d+ \|/.test(line));
    expect(rows).toHaveLength(stepCount);
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(10);
  });

  it('are Gherkin', () => {
    for (const machine of paths.machines) {
      const lines = gherkinOf(machine).split('\n');
      const starting = (word: string) => lines.filter((line) => line.trimStart().startsWith(`${word}`));
      expect(starting('Feature:')).toHaveLength(1);
      expect(starting('Scenario:')).toHaveLength(machine.paths.length);
      expect(starting('Given ')).toHaveLength(machine.paths.length);
      const steps = machine.paths.reduce((sum, path) => sum + path.steps.length, 0);
      expect(starting('When ').length).toBeGreaterThanOrEqual(steps);
      const body = lines.slice(3).filter((line) => line !== '');
      const known = ['  Scenario: ', ...['Given', 'When', 'Then', 'And', '#'].map((word) => `    ${word} `)];
      const isKnown = (line: string) =>
        known.some((beginning) => line.startsWith(beginning)) ||
        /^ {2}@[A-Z]+-\w+$/.test(line) ||
        /^ {6}\|.*\|$/.test(line);
      expect(body.filter((line) => !isKnown(line))).toEqual([]);
    }
  });

  it('describe in every format how to cause a step, and with which tool', () => {
    const step = all.flatMap(({ steps }) => steps).find(({ event }) => event.tool !== null);
    if (!step?.event.tool) throw new Error('No step needs a tool');
    const { how, tool } = step.event;
    const gherkin = paths.machines.map(gherkinOf).join('\n');
    expect(gherkin).toContain(`# How to make it happen: ${how}\n    # By hand or tool: needs ${tool}\n`);
    expect(gherkin).toContain('# By hand or tool: by hand\n');
    expect(markdownOf(paths)).toContain(`| ${escaped(how)} | needs ${escaped(tool)} |`);
    const cells = rowsOf(csvOf(paths)).flat();
    expect(cells).toEqual(expect.arrayContaining([how, `needs ${tool}`, 'by hand']));
  });
});

describe('files', () => {
  it('are one for each machine, with the schema beside JSON', () => {
    expect(filesOf(paths, 'gherkin').map(({ name }) => name)).toEqual([
      'connection.feature',
      'patient-search.feature',
      'two-factor.feature',
    ]);
    const json = filesOf(paths, 'json');
    expect(json.at(-1)?.name).toBe('paths.schema.json');
    expect(testPaths.parse(JSON.parse(json[0]?.text ?? '')).machines.map(({ id }) => id)).toEqual(['connection']);
  });

  it('contain the data to use, the length of delays and the reason of failed calls', () => {
    const text = textOf(paths, 'markdown');
    expect(text).toContain('code: 123 456');
    expect(text).toContain('Milliseconds: 5000');
    expect(text).toMatch(/Reason: [^|]+\(incorrect-code\)/);
  });

  it('contain no spreadsheet formulas and no Markdown syntax in texts', () => {
    expect(rowsOf(csvTable([['=1+1', '@a', '-1', '+1', 'a"b', 'a,b', 'a\r\nb']]))).toEqual([
      ["'=1+1", "'@a", "'-1", "'+1", 'a"b', 'a,b', 'a\r\nb'],
    ]);
    expect(escaped('a|b *c* <d>\ne')).toBe('a\\|b \\*c\\* \\<d\\> e');
  });
});
