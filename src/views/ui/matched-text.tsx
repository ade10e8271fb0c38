const normalizeLetters = (text: string) =>
  [...text.toLowerCase()].map((letter) => letter.normalize('NFD').replace(/\p{M}/gu, '').slice(0, 1) || letter);

/** Marks where a word of `text` starts with a word of `query`; digits match anywhere. */
const marksOf = (text: string, query: string): boolean[] => {
  const letters = normalizeLetters(text);
  const marks = letters.map(() => false);
  for (const word of query.trim().split(/\s+/).filter(Boolean)) {
    const searched = /^[\d\s+-]+$/.test(word) ? [...word].filter((sign) => /\d/.test(sign)) : normalizeLetters(word);
    if (searched.length === 0) continue;
    const digits = /\d/.test(searched[0] ?? '');
    for (let start = 0; start < letters.length; start++) {
      if (!digits && start > 0 && /[\p{L}\p{N}]/u.test(letters[start - 1] ?? '')) continue;
      const places: number[] = [];
      for (let at = start; at < letters.length && places.length < searched.length; at++) {
        if (digits && letters[at] === '-' && places.length > 0) continue;
        if (letters[at] !== searched[places.length]) break;
        places.push(at);
      }
      if (places.length === searched.length) for (const at of places) marks[at] = true;
    }
  }
  return marks;
};

/** Renders `text` with the matches of `query` in bold. */
export const MatchedText = ({ text, query }: { text: string; query: string }) => {
  if (query.trim() === '') return text;
  const marks = marksOf(text, query);
  const runs: { from: number; text: string; marked: boolean }[] = [];
  for (const [index, letter] of [...text].entries()) {
    const last = runs.at(-1);
    const marked = marks[index] ?? false;
    if (last && last.marked === marked) last.text += letter;
    else runs.push({ from: index, text: letter, marked });
  }
  return runs.map((run) => (run.marked ? <b key={run.from}>{run.text}</b> : <span key={run.from}>{run.text}</span>));
};
