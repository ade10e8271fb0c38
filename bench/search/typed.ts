export interface SearchedPatient {
  readonly first: string;
  readonly last: string;
  /** Twelve digits. */
  readonly digits: string;
}

/** Returns the texts that the search box sends while a text is typed: from three characters, at most thirty. */
const keystrokes = (text: string, from = 3): string[] =>
  Array.from({ length: Math.max(0, Math.min(text.length, 30) - from + 1) }, (_, at) => text.slice(0, from + at)).filter(
    (typed) => !typed.endsWith(' '),
  );

const unmarked = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The name as users without Swedish letters type it. */
const transliterated = (text: string) => {
  const letters: Readonly<Record<string, string>> = { å: 'aa', ä: 'ae', æ: 'ae', ö: 'oe', ø: 'oe', ü: 'ue' };
  return text.toLowerCase().replace(/[åäæöøü]/g, (letter) => letters[letter] ?? letter);
};

/** The name with a letter left out, and with two letters swapped. */
const misspelt = (text: string): string[] => {
  const at = Math.floor(text.length / 2);
  return [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at - 1) + text.charAt(at) + text.charAt(at - 1) + text.slice(at + 1),
  ];
};

/** The ways in which users search for a patient, each with all intermediate texts. */
export const waysOfTyping: Readonly<Record<string, (patient: SearchedPatient) => string[]>> = {
  'last name': ({ last }) => keystrokes(last),
  'first name, without marks': ({ first }) => keystrokes(unmarked(first)),
  'first, then last name': ({ first, last }) => keystrokes(`${first} ${last}`, first.length + 2),
  'last, then first name': ({ first, last }) => keystrokes(`${last} ${first}`, last.length + 2),
  'beginnings of both': ({ first, last }) => [
    `${first.slice(0, 2)} ${last.slice(0, 3)}`,
    `${last.slice(0, 2)} ${first.slice(0, 1)}`,
  ],
  'personal number': ({ digits }) => keystrokes(`${digits.slice(0, 8)}-${digits.slice(8)}`),
  'without its century': ({ digits }) => keystrokes(digits.slice(2)),
  'its last four': ({ digits }) => keystrokes(digits.slice(8)),
  'name and year': ({ last, digits }) => [
    `${last.slice(0, 3)} ${digits.slice(0, 4)}`,
    `${digits.slice(2, 4)} ${last.slice(0, 4)}`,
  ],
  'last name, transliterated': ({ last }) => keystrokes(transliterated(last)),
  'misspelt last name': ({ last }) => misspelt(last),
  'misspelt last name with the first': ({ first, last }) => misspelt(last).map((name) => `${first} ${name}`),
  'no match': ({ last }) => [`${last.slice(0, 3)} zzz`, `${last.slice(0, 3)}xq`, `and mar qqq`],
};
