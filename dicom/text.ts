/**
 * Text of a data element by its Specific Character Set (0008,0005), DICOM PS3.3 C.12.1.1.2 and PS3.5 6.1.
 * ISO 2022 text is cut at its escape sequences, and every run is given to TextDecoder.
 */

/** A character set: a TextDecoder label, and for 7-bit double-byte sets the bytes to add. */
interface CodeElement {
  readonly label: string;
  /** Prefix of each pair after setting the high bits; null for other sets. */
  readonly pairPrefix: readonly number[] | null;
}

const plain = (label: string): CodeElement => ({ label, pairPrefix: null });
const ascii = plain('windows-1252');

const singleByte: Readonly<Record<string, CodeElement>> = {
  '6': ascii,
  '100': ascii,
  '101': plain('iso-8859-2'),
  '109': plain('iso-8859-3'),
  '110': plain('iso-8859-4'),
  '144': plain('iso-8859-5'),
  '127': plain('iso-8859-6'),
  '126': plain('iso-8859-7'),
  '138': plain('iso-8859-8'),
  '148': plain('windows-1254'),
  '203': plain('iso-8859-15'),
  '166': plain('windows-874'),
  '13': plain('shift_jis'),
  '192': plain('utf-8'),
  '149': plain('euc-kr'),
  '58': plain('gbk'),
};

/** Escape sequences without the ESC byte (PS3.3 Tables C.12-3 and C.12-4). */
const escapes: readonly { readonly bytes: string; readonly half: 'low' | 'high'; readonly set: CodeElement }[] = [
  { bytes: '(B', half: 'low', set: ascii },
  { bytes: '(J', half: 'low', set: plain('shift_jis') },
  { bytes: ')I', half: 'high', set: plain('shift_jis') },
  { bytes: '-A', half: 'high', set: ascii },
  { bytes: '-B', half: 'high', set: plain('iso-8859-2') },
  { bytes: '-C', half: 'high', set: plain('iso-8859-3') },
  { bytes: '-D', half: 'high', set: plain('iso-8859-4') },
  { bytes: '-L', half: 'high', set: plain('iso-8859-5') },
  { bytes: '-G', half: 'high', set: plain('iso-8859-6') },
  { bytes: '-F', half: 'high', set: plain('iso-8859-7') },
  { bytes: '-H', half: 'high', set: plain('iso-8859-8') },
  { bytes: '-M', half: 'high', set: plain('windows-1254') },
  { bytes: '-T', half: 'high', set: plain('windows-874') },
  { bytes: '-b', half: 'high', set: plain('iso-8859-15') },
  { bytes: '$@', half: 'low', set: { label: 'euc-jp', pairPrefix: [] } },
  { bytes: '$B', half: 'low', set: { label: 'euc-jp', pairPrefix: [] } },
  { bytes: '$(D', half: 'low', set: { label: 'euc-jp', pairPrefix: [0x8f] } },
  { bytes: '$)C', half: 'high', set: plain('euc-kr') },
  { bytes: '$)A', half: 'high', set: plain('gbk') },
];

const ESC = 0x1b;
/** Line ends, and the delimiters \ ^ = of values, name components and name groups, reset to the first set. */
const resets = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x5c, 0x5e, 0x3d]);

const withPairs = (bytes: Uint8Array, prefix: readonly number[]): Uint8Array => {
  const out: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    out.push(...prefix, (bytes[at] ?? 0) | 0x80, (bytes[at + 1] ?? 0) | 0x80);
  }
  return Uint8Array.from(out);
};

const decodeRun = (bytes: Uint8Array, low: CodeElement, high: CodeElement): string => {
  if (low.pairPrefix) return new TextDecoder(low.label).decode(withPairs(bytes, low.pairPrefix));
  const label = bytes.some((byte) => byte > 0x7f) ? high.label : low.label;
  return new TextDecoder(label).decode(bytes);
};

const decodeIso2022 = (bytes: Uint8Array, first: CodeElement): string => {
  let text = '';
  let low: CodeElement = first.label === 'shift_jis' ? first : ascii;
  let high: CodeElement = first;
  let start = 0;
  const flush = (end: number) => {
    if (end > start) text += decodeRun(bytes.subarray(start, end), low, high);
    start = end;
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) {
      flush(at);
      const ahead = String.fromCharCode(...bytes.subarray(at + 1, at + 4));
      const known = escapes.find((sequence) => ahead.startsWith(sequence.bytes));
      if (known?.half === 'low') low = known.set;
      if (known?.half === 'high') high = known.set;
      start = at + 1 + (known?.bytes.length ?? 0);
      at = start - 1;
    } else if (!low.pairPrefix && resets.has(byte)) {
      flush(at);
      low = first.label === 'shift_jis' ? first : ascii;
      high = first;
    }
  }
  flush(bytes.length);
  return text;
};

/** Without a declared set: UTF-8 if valid, else Latin 1, which old dental software writes. */
const decodeUndeclared = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/**
 * Text of a value. `characterSets` are the values of (0008,0005), empty when absent; unknown terms count as absent.
 * Padding at the end (spaces, NUL) is kept; see `trimmed`.
 */
export const decodeText = (bytes: Uint8Array, characterSets: readonly string[]): string => {
  const terms = characterSets.map((term) => term.trim().toUpperCase());
  const first = terms[0] ?? '';
  if (first === 'GB18030' || first === 'GBK') return new TextDecoder('gb18030').decode(bytes);
  const number = /IR[ _]?(\d+)$/.exec(first)?.[1];
  const element = number === undefined ? undefined : singleByte[number];
  if (bytes.includes(ESC)) return decodeIso2022(bytes, element ?? ascii);
  return element && element !== singleByte['6']
    ? new TextDecoder(element.label).decode(bytes)
    : decodeUndeclared(bytes);
};

/** Without the padding of the value (NUL, spaces) at either end. */
export const trimmed = (text: string): string => {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  // Not by a regular expression: a long run of spaces would cause quadratic backtracking.
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\0')) end -= 1;
  return text.slice(start, end);
};

/** The component groups of a person name (PS3.5 6.2.1.2): alphabetic, ideographic, phonetic; empty when absent. */
export const personNameGroups = (value: string): { alphabetic: string; ideographic: string; phonetic: string } => {
  const [alphabetic = '', ideographic = '', phonetic = ''] = value.split('=').map(trimmed);
  return { alphabetic, ideographic, phonetic };
};
