import { describe, expect, it } from 'vitest';
import { type BulkAddress, elementAt, jsonOf, someJson } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import {
  bytesOf,
  element,
  explicitBig,
  explicitLittle,
  implicitLittle,
  part10,
  type Syntax,
  words,
} from './build-dicom.ts';
import { sequence } from './build-state.ts';

const sopClass = (syntax: Syntax) => element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.7', syntax);
const addressOf: BulkAddress = (path) => `https://x/${path}`;

const transferSyntaxOf = ({ explicitVr, littleEndian }: Syntax): string => {
  if (!explicitVr) return transferSyntaxes.implicitLittleEndian;
  return littleEndian ? transferSyntaxes.explicitLittleEndian : transferSyntaxes.explicitBigEndian;
};
const read = (syntax: Syntax, ...elements: readonly Uint8Array[]) =>
  readDicomFile(part10(bytesOf(sopClass(syntax), ...elements), transferSyntaxOf(syntax))).dataSet;
const jsonFrom = (syntax: Syntax, ...elements: readonly Uint8Array[]) => jsonOf(read(syntax, ...elements), addressOf);
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('values', () => {
  it('are strings, numbers and names, and nulls keep their places', () => {
    const json = jsonFrom(
      explicitLittle,
      element(0x00080005, 'CS', 'ISO_IR 192'),
      element(0x00080008, 'CS', 'ORIGINAL\\\\PRIMARY'),
      element(0x00080020, 'DA', '20260312'),
      element(0x00080050, 'SH', ''),
      element(0x00081030, 'LO', utf8('Åtta \\ nio ')),
      element(0x00100010, 'PN', utf8('Yamada^Tarou=山田^太郎=やまだ^たろう')),
      element(0x00101001, 'PN', utf8('Ek^A\\Al^B')),
      element(0x00104000, 'LT', utf8(' en \\ text ')),
      element(0x00200013, 'IS', '7 '),
      element(0x00280010, 'US', words([6])),
      element(0x00280009, 'AT', bytesOf([0x18, 0x00, 0x63, 0x10])),
      element(0x00281050, 'DS', '1.5\\\\x\\1e3'),
    );
    expect(json).toMatchObject({
      '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
      '00080008': { vr: 'CS', Value: ['ORIGINAL', null, 'PRIMARY'] },
      '00080020': { vr: 'DA', Value: ['20260312'] },
      '00081030': { vr: 'LO', Value: ['Åtta', 'nio'] },
      '00100010': {
        vr: 'PN',
        Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }],
      },
      '00101001': { vr: 'PN', Value: [{ Alphabetic: 'Ek^A' }, { Alphabetic: 'Al^B' }] },
      '00104000': { vr: 'LT', Value: ['en \\ text'] },
      '00200013': { vr: 'IS', Value: [7] },
      '00280009': { vr: 'AT', Value: ['00181063'] },
      '00280010': { vr: 'US', Value: [6] },
      '00281050': { vr: 'DS', Value: [1.5, null, 'x', 1000] },
    });
    expect(json['00080050']).toEqual({ vr: 'SH' });
  });

  it('are UTF-8 whatever character set the file has', () => {
    const json = jsonFrom(
      explicitLittle,
      element(0x00080005, 'CS', 'ISO_IR 100'),
      element(0x00100010, 'PN', [0xd6, 0x62, 0x65, 0x72, 0x67]),
    );
    expect(json['00100010']?.Value).toEqual([{ Alphabetic: 'Öberg' }]);
    expect(json['00080005']?.Value).toEqual(['ISO_IR 192']);
  });

  it('have the VR of the standard in an implicit data set, and UN where it has none', () => {
    const json = jsonFrom(
      implicitLittle,
      element(0x00090010, 'LO', 'MAKER', implicitLittle),
      element(0x00091001, 'LO', 'ab', implicitLittle),
      element(0x00100010, 'PN', 'Ek^A', implicitLittle),
      element(0x00189305, 'FD', [0, 0, 0, 0, 0, 0, 0xf8, 0x3f], implicitLittle),
      element(0x00280103, 'US', words([1], implicitLittle), implicitLittle),
      element(0x00280106, 'SS', words([-5], implicitLittle), implicitLittle),
    );
    expect(json).toMatchObject({
      '00090010': { vr: 'LO', Value: ['MAKER'] },
      '00091001': { vr: 'UN', InlineBinary: 'YWI=' },
      '00100010': { vr: 'PN' },
      '00189305': { vr: 'FD', Value: [1.5] },
      '00280106': { vr: 'SS', Value: [-5] },
    });
  });

  it('of binary VRs are little endian, inline when short and by address when long', () => {
    const json = jsonFrom(
      explicitBig,
      element(0x00281201, 'OW', words([0x0102, 0x0304], explicitBig), explicitBig),
      element(0x00420011, 'OB', new Uint8Array(1026), explicitBig),
      element(0x7fe00010, 'OW', words([1], explicitBig), explicitBig),
    );
    expect(json).toMatchObject({
      '00281201': { vr: 'OW', InlineBinary: Buffer.from([2, 1, 4, 3]).toString('base64') },
      '00420011': { vr: 'OB', BulkDataURI: 'https://x/00420011' },
      '7FE00010': { vr: 'OW', BulkDataURI: 'https://x/7FE00010' },
    });
    expect(json['7FE00010']?.InlineBinary).toBeUndefined();
  });

  it('of sequences are items, whose long values are found by their path', () => {
    const long = new Uint8Array(2000).fill(9);
    const inner = sequence(0x00081140, [bytesOf(element(0x00081155, 'UI', '1.2.3'), element(0x00420011, 'OB', long))]);
    const dataSet = read(explicitLittle, sequence(0x00081115, [element(0x0020000e, 'UI', '1.2'), inner]));
    const json = jsonOf(dataSet, addressOf);
    expect(json['00081115']).toEqual({
      vr: 'SQ',
      Value: [
        { '0020000E': { vr: 'UI', Value: ['1.2'] } },
        {
          '00081140': {
            vr: 'SQ',
            Value: [
              {
                '00081155': { vr: 'UI', Value: ['1.2.3'] },
                '00420011': { vr: 'OB', BulkDataURI: 'https://x/00081115.1.00081140.0.00420011' },
              },
            ],
          },
        },
      ],
    });
    const found = elementAt(dataSet, '00081115.1.00081140.0.00420011');
    expect(found?.element.length).toBe(2000);
    for (const path of ['00081115.2.00420011', '00081115.0.00081140.0.00420011', '00080016.0.00420011', '00100010'])
      expect(elementAt(dataSet, path)).toBeNull();
  });
});

it('leaves out group lengths and what encodes a file', () => {
  const json = jsonFrom(explicitLittle, element(0x00100000, 'UL', [1, 0, 0, 0]), element(0x00100010, 'PN', 'Ek'));
  expect(Object.keys(json)).toEqual(['00080016', '00100010']);
});

it('gives a few elements, and nothing for those that are empty or absent', () => {
  const dataSet = read(explicitLittle, element(0x00080030, 'TM', '1015'), element(0x00080090, 'PN', ''));
  expect(someJson(dataSet, [0x00080030, 0x00080090, 0x00200010])).toEqual({
    '00080030': { vr: 'TM', Value: ['1015'] },
  });
});
