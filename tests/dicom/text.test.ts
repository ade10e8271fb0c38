import { describe, expect, it } from 'vitest';
import { decodeText, personNameGroups } from '../../dicom/text.ts';
import { bytesOf } from './build-dicom.ts';

const ESC = '\x1b';

describe('text by its character set', () => {
  it.each([
    ['ISO_IR 100', [0xc5, 0x6b, 0x65], 'Åke'],
    ['ISO_IR 101', [0xa3, 0xf3, 0x64, 0xbc], 'Łódź'],
    ['ISO_IR 144', [0xbb, 0xee, 0xda, 0xd5, 0xdc, 0xd1, 0xe3, 0xe0, 0xd3], 'Люкембург'],
    ['ISO_IR 126', [0xc4, 0xe9, 0xef, 0xed], 'Διον'],
    ['ISO_IR 127', [0xe2, 0xc8], 'قب'],
    ['ISO_IR 138', [0xf9, 0xf8, 0xe5, 0xef], 'שרון'],
    ['ISO_IR 148', [0xde, 0xfd], 'Şı'],
    ['ISO_IR 203', [0xa4], '€'],
    ['ISO_IR 166', [0xca, 0xc1], 'สม'],
    ['ISO_IR 13', [0xd4, 0xcf, 0xc0, 0xde], 'ﾔﾏﾀﾞ'],
    ['ISO_IR 192', [0xe7, 0x8e, 0x8b, 0xc3, 0xa5], '王å'],
    ['GB18030', [0xcd, 0xf5, 0xd0, 0xa1], '王小'],
    ['GBK', [0xcd, 0xf5], '王'],
  ])('%s', (term, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), [term])).toBe(text);
  });

  it('reads undeclared text as UTF-8 if valid, else as Latin 1', () => {
    expect(decodeText(Uint8Array.of(0xc3, 0xa5), [])).toBe('å');
    expect(decodeText(Uint8Array.of(0x4c, 0xe4, 0x6b), [''])).toBe('Läk');
    expect(decodeText(Uint8Array.of(0x4c, 0xe4, 0x6b), ['WRONG'])).toBe('Läk');
  });

  // The examples of PS3.5 annex H and I.
  it('decodes the escapes of Japanese names (H.3.1)', () => {
    const bytes = bytesOf(
      `Yamada^Tarou=${ESC}$B;3ED${ESC}(B^${ESC}$BB@O:${ESC}(B=${ESC}$B$d$^$@${ESC}(B^${ESC}$B$?$m$&${ESC}(B`,
    );
    expect(decodeText(bytes, ['', 'ISO 2022 IR 87'])).toBe('Yamada^Tarou=山田^太郎=やまだ^たろう');
  });

  it('decodes escapes from half-width katakana (H.3.2)', () => {
    const bytes = bytesOf(
      [0xd4, 0xcf, 0xc0, 0xde, 0x5e, 0xc0, 0xdb, 0xb3, 0x3d],
      `${ESC}$B;3ED${ESC}(J^${ESC}$BB@O:${ESC}(J=${ESC}$B$d$^$@${ESC}(J^${ESC}$B$?$m$&${ESC}(J`,
    );
    expect(decodeText(bytes, ['ISO 2022 IR 13', 'ISO 2022 IR 87'])).toBe('ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう');
  });

  it('reads the supplementary set JIS X 0212', () => {
    expect(decodeText(bytesOf(`${ESC}$(D`, [0x30, 0x21], `${ESC}(B`), ['', 'ISO 2022 IR 159'])).toBe('丂');
  });

  it('decodes Korean names (I.2), each component with its own escape', () => {
    const bytes = bytesOf(
      `Hong^Gildong=${ESC}$)C`,
      [0xfb, 0xf3, 0x5e, 0x1b, 0x24, 0x29, 0x43, 0xd1, 0xce, 0xd4, 0xd7, 0x3d, 0x1b, 0x24, 0x29, 0x43, 0xc8, 0xab],
      [0x5e, 0x1b, 0x24, 0x29, 0x43, 0xb1, 0xe6, 0xb5, 0xbf],
    );
    expect(decodeText(bytes, ['', 'ISO 2022 IR 149'])).toBe('Hong^Gildong=洪^吉洞=홍^길동');
  });

  it('resets the character set at delimiters of names and values', () => {
    const bytes = bytesOf(`${ESC}-F`, [0xc4, 0x5e, 0xc4, 0x5c, 0xc4]);
    expect(decodeText(bytes, ['ISO 2022 IR 100', 'ISO 2022 IR 126'])).toBe('Δ^Ä\\Ä');
  });

  it('splits a person name into its groups', () => {
    const groups = personNameGroups('Wang^XiaoDong=王^小東=');
    expect(groups).toEqual({ alphabetic: 'Wang^XiaoDong', ideographic: '王^小東', phonetic: '' });
  });
});
