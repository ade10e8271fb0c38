/** Spreadsheets evaluate cells that start like this, even after white space; a leading apostrophe makes them text. */
const runsAsFormula = /^[\s\0]*[=+\-@|%＝＋－＠]|^[\t\r\n]/;

/**
 * Formats a cell by RFC 4180. The separator is a semicolon: the comma is the decimal sign in Swedish, Danish and Norwegian, and
 * spreadsheets in these locales separate columns by semicolons.
 */
export const csvCell = (text: string): string => {
  const harmless = runsAsFormula.test(text) ? `'${text}` : text;
  return /[";,\r\n\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`;

/** Byte order mark, so that spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';
