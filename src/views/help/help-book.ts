/** A key or several that do the same, in the words of `aria-keyshortcuts`, and what they do. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly text: string;
}

/** A message as the product says it, and what to do about it. */
export interface Saying {
  readonly id: string;
  readonly said: string;
  readonly meant: string;
}

/** A piece of the help: words, keys or messages under one heading. */
export type HelpPiece = { readonly id: string; readonly title: string } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'keys'; readonly rows: readonly KeyRow[] }
  | { readonly kind: 'sayings'; readonly sayings: readonly Saying[] }
);

export interface HelpChapter {
  readonly id: string;
  readonly title: string;
  readonly pieces: readonly HelpPiece[];
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What is left of a piece where every word stands; null when nothing is. Of keys and messages only the rows that fit, unless the heading does. */
const pieceWith = (piece: HelpPiece, words: readonly string[]): HelpPiece | null => {
  const fits = (...texts: readonly string[]) => {
    const folded = fold(texts.join('\n'));
    return words.every((word) => folded.includes(word));
  };
  if (piece.kind === 'words') return fits(piece.title, piece.text) ? piece : null;
  if (fits(piece.title)) return piece;
  if (piece.kind === 'keys') {
    const rows = piece.rows.filter(({ keys, text }) => fits(piece.title, text, ...keys));
    return rows.length > 0 ? { ...piece, rows } : null;
  }
  const sayings = piece.sayings.filter(({ said, meant }) => fits(said, meant));
  return sayings.length > 0 ? { ...piece, sayings } : null;
};

/** The chapters with what speaks of `text`: all its words, in any order, accents and case aside. */
export const searchHelp = (chapters: readonly HelpChapter[], text: string): readonly HelpChapter[] => {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return chapters;
  return chapters
    .map((chapter) => ({
      ...chapter,
      pieces: chapter.pieces.map((piece) => pieceWith(piece, words)).filter((piece) => piece !== null),
    }))
    .filter(({ pieces }) => pieces.length > 0);
};

const sizeOf = (piece: HelpPiece): number =>
  piece.kind === 'words' ? 1 : piece.kind === 'keys' ? piece.rows.length : piece.sayings.length;

/** How many places were found: a text, a key and a message count as one each. */
export const countPlaces = (chapters: readonly HelpChapter[]): number =>
  chapters.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + sizeOf(piece), 0);

export type HelpBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'steps'; readonly steps: readonly string[] }
  /** To be typed in a terminal. */
  | { readonly kind: 'command'; readonly text: string };

/** Lines of a text as paragraphs; lines that begin with a dash follow each other as steps, those with a dollar sign are commands. */
export const blocksOf = (text: string): readonly HelpBlock[] => {
  const blocks: HelpBlock[] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    if (line.startsWith('$ ')) blocks.push({ kind: 'command', text: line.slice(2) });
    else if (!line.startsWith('- ')) blocks.push({ kind: 'paragraph', text: line });
    else if (last?.kind === 'steps') blocks.splice(-1, 1, { ...last, steps: [...last.steps, line.slice(2)] });
    else blocks.push({ kind: 'steps', steps: [line.slice(2)] });
  }
  return blocks;
};
