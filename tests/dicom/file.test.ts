import { deflateRaw } from 'pako';
import { describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import {
  bytesOf,
  element,
  explicitBig,
  implicitLittle,
  item,
  openItem,
  openSequence,
  part10,
  pictureHeader,
  type Syntax,
  us,
} from './build-dicom.ts';

const ROWS = 0x00280010;
const picture = (syntax?: Syntax) =>
  bytesOf(pictureHeader({ rows: 2, columns: 3 }, syntax), element(0x7fe00010, 'OB', [1, 2, 3, 4, 5, 6], syntax));

const codeOf = (read: () => unknown): string => {
  try {
    read();
  } catch (problem) {
    if (problem instanceof DicomProblem) return problem.code;
    throw problem;
  }
  return 'no problem';
};

describe('reading a file', () => {
  it.each([
    ['explicit little endian', part10(picture()), '1.2.840.10008.1.2.1', false],
    ['implicit little endian', part10(picture(implicitLittle), '1.2.840.10008.1.2'), '1.2.840.10008.1.2', false],
    ['explicit big endian', part10(picture(explicitBig), '1.2.840.10008.1.2.2'), '1.2.840.10008.1.2.2', false],
    ['deflated', part10(deflateRaw(picture()), '1.2.840.10008.1.2.1.99'), '1.2.840.10008.1.2.1.99', false],
    ['no transfer syntax in the meta information', part10(picture(), null), '1.2.840.10008.1.2.1', true],
    ['no meta information, explicit', picture(), '1.2.840.10008.1.2.1', true],
    ['no meta information, implicit', picture(implicitLittle), '1.2.840.10008.1.2', true],
    ['no meta information, big endian', picture(explicitBig), '1.2.840.10008.1.2.2', true],
    ['meta information without preamble', part10(picture()).subarray(132), '1.2.840.10008.1.2.1', false],
    ['implicit under an explicit name', part10(picture(implicitLittle)), '1.2.840.10008.1.2.1', true],
  ])('reads %s', (_, bytes, transferSyntaxUid, guessed) => {
    const file = readDicomFile(bytes);
    expect(file.transferSyntaxUid).toBe(transferSyntaxUid);
    expect(file.transferSyntaxGuessed).toBe(guessed);
    expect(file.dataSet.number(ROWS, 'US')).toBe(2);
    expect(file.dataSet.bytes(0x7fe00010)).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  });

  it('is not misled by DICM at byte 128 of a file without preamble', () => {
    const filler = element(0x00080005, 'CS', `ISO_IR 100${' '.repeat(100)}`);
    const inside = bytesOf(filler, element(0x00081010, 'SH', 'DICMA1'));
    expect(String.fromCharCode(...inside.subarray(126, 130))).toBe('DICM');
    const shifted = bytesOf(
      element(0x00080005, 'CS', `ISO_IR 100${' '.repeat(102)}`),
      element(0x00081010, 'SH', 'DICMA1'),
    );
    expect(String.fromCharCode(...shifted.subarray(128, 132))).toBe('DICM');
    expect(readDicomFile(shifted).dataSet.text(0x00081010)).toBe('DICMA1');
  });

  it('opens sequences of defined and undefined length, private and in UN', () => {
    const inner = openSequence(0x00091001, [openItem(us(ROWS, 7))]);
    const implicit = openSequence(0x00091002, [openItem(us(ROWS, 8, implicitLittle), implicitLittle)], implicitLittle);
    const bytes = part10(
      bytesOf(
        element(0x00081140, 'SQ', bytesOf(item(us(ROWS, 5)), item(us(ROWS, 6)))),
        inner,
        element(0x00091002, 'UN', [], undefined, 0xffffffff),
        implicit.subarray(8),
        us(ROWS, 9),
      ),
    );
    const { dataSet } = readDicomFile(bytes);
    expect(dataSet.sequence(0x00081140).map((set) => set.number(ROWS, 'US'))).toEqual([5, 6]);
    expect(dataSet.sequence(0x00091001).map((set) => set.number(ROWS, 'US'))).toEqual([7]);
    expect(dataSet.sequence(0x00091002).map((set) => set.number(ROWS, 'US'))).toEqual([8]);
    expect(dataSet.number(ROWS, 'US')).toBe(9);
  });

  it.each([0x00080005, 0x00080060])('reads a blank value representation as a short one, of element %i', (tag) => {
    const named = bytesOf(element(0x00080005, 'CS', 'ISO_IR 100'), element(0x00080060, 'CS', 'IO'), picture());
    const bytes = part10(
      bytesOf(
        element(0x00080005, tag === 0x00080005 ? '  ' : 'CS', 'ISO_IR 100'),
        element(0x00080060, tag === 0x00080060 ? '  ' : 'CS', 'IO'),
        picture(),
      ),
    );
    expect(bytes).toHaveLength(part10(named).length);
    const { dataSet } = readDicomFile(bytes);
    expect(dataSet.text(0x00080060)).toBe('IO');
    expect(dataSet.bytes(0x7fe00010)).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  });

  it('leaves pixel data unread when asked, so that the head of a file is enough', () => {
    const bytes = part10(
      bytesOf(pictureHeader({ rows: 2, columns: 3 }), element(0x7fe00010, 'OB', [], undefined, 6e6)),
    );
    const { dataSet } = readDicomFile(bytes, { stopAtPixelData: true });
    expect(dataSet.number(ROWS, 'US')).toBe(2);
    expect(dataSet.elements.has(0x7fe00010)).toBe(false);
  });

  it.each([
    ['zeros', new Uint8Array(100)],
    ['a padding element', element(0xfffcfffc, 'OB', new Uint8Array(20))],
    ['rubbish', Uint8Array.of(0x13, 0x37, 0xff, 0xff, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0x0f)],
  ])('ignores %s after the picture', (_, tail) => {
    expect(readDicomFile(part10(bytesOf(picture(), tail))).dataSet.number(ROWS, 'US')).toBe(2);
  });
});

describe('rejecting a file', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', bytesOf('Dear colleague, enclosed please find the radiographs. '.repeat(9))],
    ['a JPEG', bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF', new Uint8Array(500))],
    ['zeros', new Uint8Array(1000)],
    ['a prefix and noise', bytesOf(new Uint8Array(128), 'DICM', new Uint8Array(50).fill(0xee))],
  ])('that is no DICOM: %s', (_, bytes) => {
    expect(codeOf(() => readDicomFile(bytes))).toBe('not-dicom');
  });

  it('that ends inside an element, a sequence or a header', () => {
    const set = bytesOf(us(ROWS, 2), element(0x00321060, 'LO', 'abcdef'));
    const cut = part10(set).slice(0, -3);
    expect(codeOf(() => readDicomFile(cut))).toBe('truncated');
    const open = part10(bytesOf(element(0x00081140, 'SQ', [], undefined, 0xffffffff), item(us(ROWS, 1))));
    expect(codeOf(() => readDicomFile(open))).toBe('truncated');
    expect(codeOf(() => readDicomFile(part10(bytesOf(set, [8, 0, 9]))))).toBe('truncated');
  });

  it('whose sequence contains something other than items', () => {
    const bad = bytesOf(element(0x00081140, 'SQ', [], undefined, 0xffffffff), us(ROWS, 1), us(ROWS, 1));
    expect(codeOf(() => readDicomFile(part10(bad)))).toBe('malformed');
  });

  it('whose sequences are nested too deeply', () => {
    const open = element(
      0x00081140,
      'SQ',
      bytesOf([0xfe, 0xff, 0, 0xe0, 0xff, 0xff, 0xff, 0xff]),
      undefined,
      0xffffffff,
    );
    const deep = bytesOf(...Array.from({ length: 5000 }, () => open));
    expect(codeOf(() => readDicomFile(part10(deep)))).toBe('malformed');
  });

  it('that consists only of empty elements or items', () => {
    const view = new DataView(new ArrayBuffer(1_100_000 * 8));
    for (let index = 0; index < 1_100_000; index++) {
      view.setUint16(index * 8, 8 + (index >> 16), true);
      view.setUint16(index * 8 + 2, index & 0xffff, true);
    }
    const elements = part10(new Uint8Array(view.buffer), '1.2.840.10008.1.2');
    expect(codeOf(() => readDicomFile(elements))).toBe('too-large');
    for (let index = 0; index < 1_100_000; index++) view.setUint32(index * 8, 0xe000fffe, true);
    const items = part10(element(0x00081140, 'SQ', new Uint8Array(view.buffer)));
    expect(codeOf(() => readDicomFile(items).dataSet.sequence(0x00081140))).toBe('too-large');
  });

  it('that claims too much pixel data, without allocating it', () => {
    const inflated = part10(
      bytesOf(pictureHeader({ rows: 2, columns: 3 }), element(0x7fe00010, 'OB', [1, 2], undefined, 3e9)),
    );
    const { dataSet } = readDicomFile(inflated);
    expect(dataSet.elements.get(0x7fe00010)).toMatchObject({ length: 2, claimedLength: 3e9 });
  });

  it('that inflates beyond the limit, or is truncated inside its deflated bytes', () => {
    const packed = deflateRaw(bytesOf(us(ROWS, 2), element(0x00420011, 'OB', new Uint8Array(5_000_000))));
    expect(packed.length).toBeLessThan(100_000);
    const bomb = part10(packed, '1.2.840.10008.1.2.1.99');
    expect(codeOf(() => readDicomFile(bomb, { inflateLimitBytes: 1_000_000 }))).toBe('too-large');
    expect(codeOf(() => readDicomFile(bomb.slice(0, -100)))).toBe('truncated');
  });

  it('with an error text without patient data', () => {
    const bytes = part10(
      bytesOf(element(0x00100010, 'PN', 'Secret^Name'), element(0x00104000, 'LT', 'x', undefined, 900)),
    );
    expect(() => readDicomFile(bytes)).toThrow(/^truncated: \(0010,4000\) claims 900 bytes, \d are there$/);
  });
});
