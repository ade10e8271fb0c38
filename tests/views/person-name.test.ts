import { expect, it } from 'vitest';
import { formatPersonName } from '../../src/views/ui/person-name.ts';

it.each([
  ['Lindström-Ek^Åsa^Maria^Dr^PhD', 'Dr Åsa Maria Lindström-Ek PhD'],
  ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Tarou Yamada (山田 太郎, やまだ たろう)'],
  ['Yamada^Tarou==やまだ^たろう', 'Tarou Yamada (やまだ たろう)'],
  ['=山田^太郎', '太郎 山田'],
  ['^^=^', null],
  [null, null],
])('formats %s', (name, text) => {
  expect(formatPersonName(name)).toBe(text);
});
