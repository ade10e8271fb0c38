import { type RawBuilder, sql } from 'kysely';
import { foldText } from '../../resource/fold-text.ts';

/** One word as a person typed it. Folded text is letters and digits alone: there is nothing in it to escape. */
export interface TypedWord {
  /** Folded; what signs part (`björk-lund`) must all be found. At least one. */
  readonly parts: readonly string[];
  /** A word with two digits or more may be a piece of a personal number, with or without its dash. */
  readonly number: string | null;
}

const fewestDigits = 2;

/** The words of a search text. None although something was typed: signs alone, which are found nowhere. */
export const typedWords = (text: string): TypedWord[] =>
  text.split(/\s+/).flatMap((word) => {
    const parts = foldText(word).split(' ').filter(Boolean);
    if (parts.length === 0) return [];
    const digits = word.match(/\p{Nd}/gu)?.length ?? 0;
    return { parts, number: digits < fewestDigits ? null : parts.join('') };
  });

/** The last character there is: every word that begins with `prefix` sorts before `prefix` and this. */
const last = '\u{10FFFF}';

/** In a column of collation "C". */
export const beginsWith = (column: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= ${prefix} and ${column} < ${prefix + last})`;

/** Whether a word in a text of words, each with a space before it, begins so. */
export const hasWord = (text: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`% ${prefix}%`}`;

/** Whether a form of a personal number, each with a # before it, begins so. */
export const hasNumber = (text: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`%#${prefix}%`}`;

export const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
export const any = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;
