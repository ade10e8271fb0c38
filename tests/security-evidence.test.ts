import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const standard = read('docs/security/asvs.md');

const states = ['met', 'partly', 'not met', 'does not apply'] as const;
type State = (typeof states)[number];
interface Row {
  readonly id: string;
  readonly level: string;
  readonly state: State;
  readonly evidence: string;
}

/** Requirements of levels 1 and 2 of ASVS 5.0.0 by chapter; WebRTC (17) is one row. */
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 1];

const rows = [...standard.matchAll(/^\| (\d[\d.]*) \| ([12]) \| .+? \| ([a-z ]+) \| (.+) \|$/gm)].map(
  ([, id = '', level = '', state = '', evidence = '']) => ({ id, level, state, evidence }) as Row,
);
const idsOf = (...wanted: readonly State[]) => rows.filter(({ state }) => wanted.includes(state)).map(({ id }) => id);

/** Files of the repository in backticks: with a folder or an ending, unlike settings and names. */
const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name).filter((name) => /^\w[^:]*[./]\w*$/.test(name));

/** Quoted titles with the file that was named before them. */
const quotesIn = (text: string): readonly { readonly file: string; readonly title: string }[] => {
  let file = '';
  return [...text.matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, name, title]) => {
    if (name !== undefined) file = name;
    return title === undefined ? [] : [{ file, title }];
  });
};

describe('the rows of ASVS', () => {
  it('are all requirements, each once, with a known state', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
    const counts = perChapter.map((_, at) => rows.filter(({ id }) => Number.parseInt(id, 10) === at + 1).length);
    expect(counts).toEqual(perChapter);
  });

  it('have the counts of the table at the top', () => {
    const counted = (name: string, of: readonly Row[]) => {
      const [one, two] = ['1', '2'].map((level) => of.filter((row) => row.level === level).length);
      return `| ${name} | ${one} | ${two} | ${of.length} |`;
    };
    const lines = states.map((name) =>
      counted(
        name,
        rows.filter(({ state }) => state === name),
      ),
    );
    for (const line of [...lines, counted('all', rows)]) expect(standard).toContain(line);
  });

  it('are repeated under "Not met yet" where they are open', () => {
    const [, open = ''] = /\n## Not met yet\n(.*?)\n## /s.exec(standard) ?? [];
    expect([...open.matchAll(/^- ([\d.]+) /gm)].map(([, id]) => id)).toEqual([...idsOf('not met'), ...idsOf('partly')]);
  });

  it('name a file where they are met or partly met', () => {
    const proved = rows.filter(({ state }) => state === 'met' || state === 'partly');
    expect(proved.filter(({ evidence }) => filesIn(evidence).length === 0)).toEqual([]);
  });

  it('quote titles that are in their files', () => {
    const quotes = rows.flatMap(({ id, evidence }) => quotesIn(evidence).map((quote) => ({ id, ...quote })));
    expect(quotes.length).toBeGreaterThan(100);
    expect(
      quotes.filter(({ file, title }) => !existsSync(path.join(root, file)) || !read(file).includes(title)),
    ).toEqual([]);
  });
});

it.each([
  'docs/security/asvs.md',
  'docs/security/threat-model.md',
  'docs/security/threats.md',
  'docs/security/limits.md',
  'docs/security/access.md',
  'docs/security/data.md',
  'docs/security/cryptography.md',
  'SECURITY.md',
])('every file that %s names exists', (page) => {
  const text = read(page);
  const linked = [...text.matchAll(/\]\(([^)#:\s]+)(#[^)]*)?\)/g)].map(([, link = '']) =>
    path.posix.join(path.posix.dirname(page), link),
  );
  const named = [...filesIn(text), ...linked];
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});
