/** Excel and its like run a cell that begins so, white space before it or not; an apostrophe in front makes it text. */
const runsAsFormula = /^[\s\0]*[=+\-@|%＝＋－＠]|^[\t\r\n]/;

/**
 * A cell by RFC 4180. Parted by semicolons: the comma is the decimal sign in Swedish, Danish and Norwegian, and the spreadsheets of these
 * countries part columns by the semicolon alone.
 */
export const csvCell = (text: string): string => {
  const harmless = runsAsFormula.test(text) ? `'${text}` : text;
  return /[";,\r\n\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`;

/** Begins a file, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\uFEFF';
