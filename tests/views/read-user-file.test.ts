import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { roleNames } from '../../contract/claims.ts';
import { byteOrderMark, csvRow } from '../../contract/csv.ts';
import { type UserFileColumn, userFileColumns } from '../../contract/user-files.ts';
import {
  builtInRoleNames,
  columnNames,
  lineOf,
  nameKey,
  readUserFile,
} from '../../src/views/users/import/read-user-file.ts';
import { roles } from './users-fixture.tsx';

const today = '2026-11-28';
const read = (text: string | Uint8Array<ArrayBuffer>) =>
  readUserFile(typeof text === 'string' ? new TextEncoder().encode(text) : text, today);
const usersIn = (text: string | Uint8Array<ArrayBuffer>) => {
  const file = read(text);
  if ('problem' in file) throw new Error(JSON.stringify(file.problem));
  return file.users;
};
const problemIn = (text: string) => {
  const file = read(text);
  return 'problem' in file ? file.problem : null;
};
const textsOf = (language: string, name: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(`locales/${language}/${name}.json`, 'utf8'));

const titles = ['First name', 'Last name', 'E-mail', 'Phone', 'Personal number', 'Hired since', 'Role'];
const cells = ['Åsa', 'Björk', 'asa@prov.example', '070-174 06 05', '19800101-9804', '2026-01-31', 'Vårdpersonal'];
const file = (separator: string, rows: readonly (readonly string[])[] = [titles, cells]) =>
  rows.map((row) => row.join(separator)).join('\r\n');
const expected = {
  firstName: 'Åsa',
  lastName: 'Björk',
  email: 'asa@prov.example',
  telephone: '070-174 06 05',
  personalNumber: '19800101-9804',
  hiredSince: '2026-01-31',
  role: 'Vårdpersonal',
  azureUsername: '',
};

describe('a file of users', () => {
  it.each([',', ';', '\t'])('is read with columns separated by %j', (separator) => {
    expect(usersIn(file(separator))).toEqual([{ line: 2, cells: expected }]);
  });

  it('is read as UTF-8 with and without a byte order mark, and as Windows-1252', () => {
    const windows = Uint8Array.from([...file(';')].map((character) => character.charCodeAt(0)));
    for (const text of [file(';'), byteOrderMark + file(';'), windows])
      expect(usersIn(text)[0]?.cells).toMatchObject({ firstName: 'Åsa', lastName: 'Björk', role: 'Vårdpersonal' });
  });

  it('is read with quoted cells that hold separators, quotes and lines', () => {
    const quoted = ['"Åsa, ""Åsis"""', '"Björk\r\nLund"', ...cells.slice(2)];
    expect(usersIn(file(',', [titles, quoted, cells]))).toMatchObject([
      { line: 2, cells: { firstName: 'Åsa, "Åsis"', lastName: 'Björk\r\nLund' } },
      { line: 3 },
    ]);
  });

  it('names the rows of a spreadsheet, without its empty ones', () => {
    const rows = [titles, [], cells, titles.map(() => ' '), cells];
    expect(usersIn(file(';', rows)).map(({ line }) => line)).toEqual([3, 5]);
  });

  it('needs no day of employment and ignores other columns', () => {
    const without = (row: readonly string[]) => [...row.slice(0, 5), row[6] ?? '', 'x'];
    const [user] = usersIn(file(';', [[...without(titles).slice(0, -1), 'Shoe size'], without(cells)]));
    expect(user?.cells).toEqual({ ...expected, hiredSince: today });
  });

  it('is read as the archive exports cells that a spreadsheet would evaluate', () => {
    const [user] = usersIn(csvRow(titles) + csvRow(cells.with(3, '+46 70 174 06 05')));
    expect(user?.cells.telephone).toBe('+46 70 174 06 05');
  });

  it('has its columns in any order, by the names of any language', () => {
    const languages = ['en', 'sv', 'da', 'no'];
    const keys = (column: UserFileColumn) => columnNames[column].map(nameKey);
    for (const language of languages)
      for (const column of userFileColumns)
        expect(keys(column), `${language} ${column}`).toContain(nameKey(textsOf(language, 'users')[column] ?? ''));
    for (const column of userFileColumns)
      for (const other of userFileColumns.filter((one) => one !== column))
        expect(keys(other).filter((key) => keys(column).includes(key))).toEqual([]);
    expect(usersIn(file(';', [titles.toReversed(), cells.toReversed()]))[0]?.cells).toEqual(expected);
  });

  it('that cannot be read is refused with the reason', () => {
    expect(problemIn('')).toEqual({ kind: 'no-columns' });
    expect(problemIn('a;b;c\r\n1;2;3')).toEqual({ kind: 'no-columns' });
    expect(problemIn(file(';', [titles]))).toEqual({ kind: 'no-users' });
    expect(problemIn(file(';', [titles.slice(0, 3), cells]))).toEqual({
      kind: 'missing',
      columns: ['telephone', 'personalNumber', 'role'],
    });
    expect(problemIn(file(';', [[...titles, 'E-post'], cells]))).toEqual({ kind: 'repeated', columns: ['email'] });
    expect(problemIn(`${file(';')}\r\n"Åsa;Björk`)).toEqual({ kind: 'quotes', line: 3 });
    expect(problemIn(file(';', [titles, ...Array.from({ length: 1_001 }, () => cells)]))).toEqual({ kind: 'too-many' });
    expect(problemIn('x'.repeat(2_000_001))).toEqual({ kind: 'too-large' });
  });
});

describe('the role of a line', () => {
  const idsOf = (role: string) => lineOf({ line: 2, cells: { ...expected, role } }, roles).roles;

  it('is found by its name in any language', () => {
    for (const language of ['en', 'sv', 'da', 'no'])
      for (const name of roleNames) {
        const text = textsOf(language, 'roles')[name] ?? '';
        expect(builtInRoleNames[name].map(nameKey), `${language} ${name}`).toContain(nameKey(text));
        expect(idsOf(text.toUpperCase())).toEqual([roles.find((one) => one.name === name)?.id]);
      }
    expect(idsOf('Doctor')).toEqual([roles[2]?.id]);
  });

  it('is none for a name that no role has', () => {
    expect(idsOf('Tandhygienist')).toEqual([]);
    expect(idsOf('')).toEqual([]);
  });
});
