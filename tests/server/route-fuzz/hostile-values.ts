import type { Random } from '../../dicom/mutate.ts';

/** In many hostile texts, so that the log can be searched for it. */
export const marker = 'Hemlighet-7Q';

/** Replaced by a number of JSON that no JavaScript number has. */
const rawNumbers = ['1e400', '-1e400', '123456789012345678901234567890', '1E-400', '-0'];
const rawNumber = (text: string): string => `@raw ${text}@`;

const texts = [
  '',
  ' ',
  marker,
  `${marker}\0`,
  `\0${marker}`,
  `${marker}\ud800`,
  `\udfff${marker}`,
  '\ud83d\ude00'.repeat(40),
  marker.repeat(2_000),
  'å'.repeat(101),
  'e\u0301'.repeat(60),
  '\u202e\u2066\ufeff\u200b',
  '\r\nset-cookie: a=b',
  '%',
  '%00',
  '%_\\',
  "' or 1=1 --",
  '{{7*7}}',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '-1',
  '0',
  '1e400',
  'NaN',
  'Infinity',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  'true',
  'null',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '2026-02-30',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '+010000-01-01',
  '-000001-01-01',
  '2026-11-28T12:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6',
  '1.2.3',
  `1.2.${'9'.repeat(80)}`,
  'a@b.example',
  `${'a'.repeat(64)}@${'b'.repeat(250)}.example`,
  '198001019804',
  'https://elsewhere.example/authorization/newpassword',
  'eyJhIjpbXX0',
  'W10',
];

const numbers = [-1, 0, 1, 1.5, -0.1, 8, 99, 255, 32_768, 65_536, 2_147_483_647, 2_147_483_648, 2 ** 53, -(2 ** 63)];

const prototypeOf = (value: unknown): unknown => {
  const object = {};
  Object.defineProperty(object, '__proto__', { value, enumerable: true });
  return object;
};

const nested = (depth: number): unknown => {
  let value: unknown = marker;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

const structures: readonly (() => unknown)[] = [
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => nested(20),
  () => nested(2_000),
  () => Array.from({ length: 5_000 }, () => 1),
  () => Array.from({ length: 300 }, () => marker),
  () => prototypeOf({ isAdmin: true }),
  () => prototypeOf(null),
  () => ({ constructor: { prototype: { isAdmin: true } } }),
  () => ({ toString: 1, valueOf: null, length: -1 }),
];

const oneOf = <T>(values: readonly T[], random: Random): T => values[random(values.length)] as T;

const insertions = [
  '\0',
  '\ud800',
  '\udc00',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '\u202e',
  '\u0130',
  '\ufb01',
  '\n',
  '\ud83d\ude00',
  '\u200b',
  marker,
];

/** Returns the text with a character somewhere in it that a database, file name or file format may reject. */
export const withHostileCharacter = (text: string, random: Random): string => {
  const at = random(text.length + 1);
  return `${text.slice(0, at)}${oneOf(insertions, random)}${text.slice(at)}`;
};

const days = ['0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31', '2026-02-29', '2024-02-29'];
export const hostileDay = (random: Random): string => oneOf(days, random);

export const hostileNumber = (random: Random): number => oneOf(numbers, random);

export const hostileText = (random: Random): string => oneOf(texts, random);

/** Returns a value that few fields expect. */
export const hostileValue = (random: Random): unknown => {
  const kind = random(10);
  if (kind < 5) return hostileText(random);
  if (kind < 7) return oneOf(numbers, random);
  if (kind === 7) return oneOf([null, true, false, rawNumber(oneOf(rawNumbers, random))], random);
  return oneOf(structures, random)();
};

/** Returns JSON, in which hostile numbers stand as numbers. */
export const jsonOf = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(/"@raw ([^@"]+)@"/g, (_, text: string) => text);

const brokenOf: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => text.slice(0, text.length >> 1),
  () => '',
  () => '{',
  () => 'NaN',
  () => 'undefined',
  () => '"\\ud800"',
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll(':', ':\u0001'),
  (text) => `/* */${text}`,
  () => '['.repeat(100_000),
  () => '{"a":'.repeat(20_000),
];

export const brokenJson = (text: string, random: Random): string => oneOf(brokenOf, random)(text);
