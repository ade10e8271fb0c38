import Papa from 'papaparse';
import { roleNames } from '../../../../contract/claims.ts';
import type { Role } from '../../../../contract/roles.ts';
import {
  type UserFileColumn,
  type UserFileLine,
  userFileColumns,
  userFileLinesAtMost,
} from '../../../../contract/user-files.ts';

/** Names of the columns as files have them, in English, Swedish, Danish and Norwegian, compared by `nameKey`. */
export const columnNames: Readonly<Record<UserFileColumn, readonly string[]>> = {
  firstName: ['first name', 'given name', 'förnamn', 'fornavn'],
  lastName: ['last name', 'surname', 'family name', 'efternamn', 'efternavn', 'etternavn'],
  email: ['e-mail', 'email address', 'e-post', 'e-postadress', 'e-mailadresse', 'e-postadresse'],
  telephone: ['telephone', 'phone', 'phone number', 'mobile', 'telefon', 'telefonnummer', 'mobil', 'mobilnummer'],
  personalNumber: ['personal number', 'personnummer', 'cpr-nummer', 'cpr', 'fødselsnummer'],
  hiredSince: ['hired since', 'employed since', 'anställd sedan', 'ansat siden', 'ansatt siden'],
  role: ['role', 'roll', 'rolle'],
  azureUsername: ['azure username', 'azure user name', 'azure-användarnamn', 'azure-brugernavn', 'azure-brukernavn'],
};

/** Names of the built-in roles in all languages. */
export const builtInRoleNames: Readonly<Record<'SuperAdmin' | 'CustomerAdmin' | 'Doctor', readonly string[]>> = {
  SuperAdmin: ['System administrator', 'Systemadministratör', 'Systemadministrator'],
  CustomerAdmin: ['Clinic administrator', 'Klinikadministratör', 'Klinikadministrator', 'Klinikkadministrator'],
  Doctor: ['Medical personnel', 'Vårdpersonal', 'Behandler'],
};

/** Returns a name without case, spaces and punctuation. */
export const nameKey = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** One user of a file. `line`: its row in a spreadsheet. */
export interface FileUser {
  readonly line: number;
  readonly cells: Readonly<Record<UserFileColumn, string>>;
}

export type UserFileProblem =
  | { readonly kind: 'too-large' | 'no-columns' | 'no-users' | 'too-many' }
  | { readonly kind: 'quotes'; readonly line: number }
  | { readonly kind: 'missing' | 'repeated'; readonly columns: readonly UserFileColumn[] };

export type ReadUserFile = { readonly users: readonly FileUser[] } | { readonly problem: UserFileProblem };

export const userFileMegabytes = 2;
const cellAtMost = 500;

/** Spreadsheets write UTF-8 or, in older versions, Windows-1252. */
const decoded = (bytes: Uint8Array<ArrayBuffer>): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

const keysOf = (column: UserFileColumn): readonly string[] => [column, ...columnNames[column]].map(nameKey);
const columnOf = (title: string): UserFileColumn | undefined =>
  userFileColumns.find((column) => keysOf(column).includes(nameKey(title)));

/** Cells of exported files have an apostrophe before what a spreadsheet would evaluate. */
const cellOf = (text: string | undefined): string =>
  (text ?? '')
    .replace(/^'(?=[=+\-@|%])/, '')
    .trim()
    .slice(0, cellAtMost);

/** A file may lack what is not required, and the day of employment, which is then today, as in the form. */
const optionalColumns: readonly UserFileColumn[] = ['azureUsername', 'hiredSince'];

const columnProblem = (columns: readonly (UserFileColumn | undefined)[]): UserFileProblem | null => {
  if (columns.every((column) => column === undefined)) return { kind: 'no-columns' };
  const repeated = userFileColumns.filter((column) => columns.filter((one) => one === column).length > 1);
  if (repeated.length > 0) return { kind: 'repeated', columns: repeated };
  const missing = userFileColumns.filter((column) => !columns.includes(column) && !optionalColumns.includes(column));
  return missing.length > 0 ? { kind: 'missing', columns: missing } : null;
};

/** Reads a file of users: comma, semicolon or tab; a first line with the names of the columns in any order. */
export const readUserFile = (bytes: Uint8Array<ArrayBuffer>, today: string): ReadUserFile => {
  if (bytes.length > userFileMegabytes * 1_000_000) return { problem: { kind: 'too-large' } };
  const { data, errors } = Papa.parse<string[]>(decoded(bytes), { delimitersToGuess: [',', ';', '\t'] });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) return { problem: { kind: 'quotes', line: (quotes.row ?? 0) + 1 } };
  const [titles = [], ...rows] = data;
  const columns = titles.map(columnOf);
  const problem = columnProblem(columns);
  if (problem) return { problem };
  const users = rows.flatMap((row, index): FileUser[] => {
    if (row.every((cell) => cell.trim() === '')) return [];
    const cell = (column: UserFileColumn) => {
      const at = columns.indexOf(column);
      return cellOf(at === -1 ? '' : row[at]);
    };
    const cells = Object.fromEntries(userFileColumns.map((column) => [column, cell(column)])) as FileUser['cells'];
    return [{ line: index + 2, cells: { ...cells, hiredSince: cells.hiredSince || today } }];
  });
  if (users.length === 0) return { problem: { kind: 'no-users' } };
  return users.length > userFileLinesAtMost ? { problem: { kind: 'too-many' } } : { users };
};

const namesOfRole = ({ name }: Role): readonly string[] => {
  const builtIn = roleNames.find((one) => one === name);
  return [name, ...(builtIn ? builtInRoleNames[builtIn] : [])].map(nameKey);
};

/** Returns the line to send: the role by its id, none for a name that no role has. */
export const lineOf = ({ line, cells: { role, ...cells } }: FileUser, roles: readonly Role[]): UserFileLine => {
  const key = nameKey(role);
  const found = key === '' ? undefined : roles.find((one) => namesOfRole(one).includes(key));
  return { line, ...cells, roles: found ? [found.id] : [] };
};
