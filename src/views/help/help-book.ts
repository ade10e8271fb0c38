/** Shortcuts with the same effect in `aria-keyshortcuts` syntax, and their description. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly text: string;
}

/** A message as the product shows it, and what to do about it. */
export interface HelpMessage {
  readonly id: string;
  readonly text: string;
  readonly meaning: string;
}

/** A section of the help with a heading: text, shortcuts or messages. */
export type HelpSection = { readonly id: string; readonly title: string } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'keys'; readonly rows: readonly KeyRow[] }
  | { readonly kind: 'messages'; readonly messages: readonly HelpMessage[] }
);

export interface HelpChapter {
  readonly id: string;
  readonly title: string;
  readonly sections: readonly HelpSection[];
}

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the section if it contains all words, or null. Shortcut and message rows are filtered unless the heading matches. */
const sectionWith = (section: HelpSection, words: readonly string[]): HelpSection | null => {
  const fits = (...texts: readonly string[]) => {
    const normalized = normalize(texts.join('\n'));
    return words.every((word) => normalized.includes(word));
  };
  if (section.kind === 'words') return fits(section.title, section.text) ? section : null;
  if (fits(section.title)) return section;
  if (section.kind === 'keys') {
    const rows = section.rows.filter(({ keys, text }) => fits(section.title, text, ...keys));
    return rows.length > 0 ? { ...section, rows } : null;
  }
  const messages = section.messages.filter(({ text, meaning }) => fits(text, meaning));
  return messages.length > 0 ? { ...section, messages } : null;
};

/** Returns the chapters that contain all words of `text` in any order, ignoring accents and case. */
export const searchHelp = (chapters: readonly HelpChapter[], text: string): readonly HelpChapter[] => {
  const words = normalize(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return chapters;
  return chapters
    .map((chapter) => ({
      ...chapter,
      sections: chapter.sections.map((section) => sectionWith(section, words)).filter((section) => section !== null),
    }))
    .filter(({ sections }) => sections.length > 0);
};

const sizeOf = (section: HelpSection): number =>
  section.kind === 'words' ? 1 : section.kind === 'keys' ? section.rows.length : section.messages.length;

/** Counts the matches: each text, shortcut and message counts as one. */
export const countMatches = (chapters: readonly HelpChapter[]): number =>
  chapters.flatMap(({ sections }) => sections).reduce((sum, section) => sum + sizeOf(section), 0);

export type HelpBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'steps'; readonly steps: readonly string[] }
  /** Shell command. */
  | { readonly kind: 'command'; readonly text: string };

/** Parses text into paragraphs; lines starting with a dash are list items, with a dollar sign commands. */
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
