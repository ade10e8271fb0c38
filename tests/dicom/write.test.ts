import dicomParser from 'dicom-parser';
import { inflateRaw } from 'pako';
import { describe, expect, it } from 'vitest';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { uidFrom, uuidFrom } from '../../dicom/write/uid.ts';
import { decimalString } from '../../dicom/write/value.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';

const pixels = Uint16Array.from({ length: 6 }, (_, index) => index * 700);
const sample: DataSet = {
  SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
  SOPInstanceUID: uidFrom('sample'),
  ImageType: ['ORIGINAL', 'PRIMARY'],
  PatientName: 'Åkerström^Sören',
  PatientBirthDate: '19840229',
  AccessionNumber: null,
  StudyTime: '101500',
  ImagerPixelSpacing: [0.0275, 0.0275],
  InstanceNumber: 7,
  PixelPaddingValue: -2000,
  Rows: 2,
  Columns: 3,
  BitsAllocated: 16,
  WindowCenter: 2047.5,
  PrimaryAnatomicStructureSequence: [
    { CodeValue: '865995000', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Upper right first molar' },
    { CodeValue: '863902006', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Höger' },
  ],
  AcquisitionContextSequence: [],
  PixelData: pixels,
};

const parse = (bytes: Uint8Array) =>
  dicomParser.parseDicom(bytes, {
    inflater: (all: Uint8Array, from: number) => {
      const body = inflateRaw(all.subarray(from));
      const joined = new Uint8Array(from + body.length);
      joined.set(all.subarray(0, from));
      joined.set(body, from);
      return joined;
    },
  });
const utf8 = (set: dicomParser.DataSet, tag: string) => {
  const found = set.elements[tag];
  if (found === undefined) throw new Error(`${tag} is missing`);
  return new TextDecoder().decode(set.byteArray.subarray(found.dataOffset, found.dataOffset + found.length)).trimEnd();
};
const tagsInOrder = (set: dicomParser.DataSet) =>
  Object.values(set.elements)
    .sort((one, other) => one.dataOffset - other.dataOffset)
    .map(({ tag }) => tag);

describe('writeDicom', () => {
  const plain = ['explicitLittle', 'implicitLittle', 'explicitBig', 'deflated'] as const;
  it.each(plain)('is read back with equal values in %s', (name) => {
    const bytes = writeDicom(sample, { transferSyntax: TRANSFER_SYNTAX[name] });
    const set = parse(bytes);
    expect(new TextDecoder().decode(bytes.subarray(128, 132))).toBe('DICM');
    expect(bytes.length % 2).toBe(0);
    expect(set.string('x00020010')).toBe(TRANSFER_SYNTAX[name]);
    expect(set.string('x00080005')).toBe('ISO_IR 192');
    expect(utf8(set, 'x00100010')).toBe('Åkerström^Sören');
    expect(set.elements.x00080050?.length).toBe(0);
    expect(set.floatString('x00181164', 1)).toBe(0.0275);
    expect(set.intString('x00200013')).toBe(7);
    expect(set.int16('x00280120')).toBe(-2000);
    expect(set.uint16('x00280010')).toBe(2);
    expect(set.floatString('x00281050')).toBe(2047.5);
    const items = set.elements.x00082228?.items ?? [];
    expect(items.map((item) => item.dataSet && utf8(item.dataSet, 'x00080104'))).toEqual([
      'Upper right first molar',
      'Höger',
    ]);
    expect(set.elements.x00400555?.length).toBe(0);
    const found = set.elements.x7fe00010;
    const view = new DataView(set.byteArray.buffer, set.byteArray.byteOffset + (found?.dataOffset ?? 0), 12);
    expect(pixels.map((_, index) => view.getUint16(2 * index, name !== 'explicitBig'))).toEqual(pixels);
  });

  it('writes the group length of the file meta exactly and the elements in ascending order', () => {
    const set = parse(writeDicom(sample, { transferSyntax: TRANSFER_SYNTAX.explicitLittle }));
    const afterLength = (set.elements.x00020000?.dataOffset ?? 0) + 4;
    const firstOfBody = (set.elements.x00080005?.dataOffset ?? 0) - 8;
    expect(set.uint32('x00020000')).toBe(firstOfBody - afterLength);
    const tags = tagsInOrder(set);
    expect(tags).toEqual([...tags].sort());
  });

  it('writes encapsulated frames with an offset table', () => {
    const frames = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5), Uint8Array.of(6, 7, 8, 9)];
    const bytes = writeDicom({ ...sample, PixelData: { frames } }, { transferSyntax: TRANSFER_SYNTAX.rle });
    const set = parse(bytes);
    const found = set.elements.x7fe00010;
    if (found === undefined) throw new Error('no pixel data');
    expect(found.basicOffsetTable).toEqual([0, 12, 22]);
    expect(frames.map((_, index) => [...dicomParser.readEncapsulatedImageFrame(set, found, index)])).toEqual([
      [1, 2, 3, 0],
      [4, 5],
      [6, 7, 8, 9],
    ]);
  });

  it('pads an odd number of bytes and writes bytes as OB', () => {
    const set = parse(
      writeDicom({ ...sample, PixelData: Uint8Array.of(9, 8, 7) }, { transferSyntax: TRANSFER_SYNTAX.explicitLittle }),
    );
    expect(set.elements.x7fe00010).toMatchObject({ vr: 'OB', length: 4 });
  });

  it.each([
    ['AccessionNumber', { AccessionNumber: '12345678901234567' }],
    ['PatientBirthDate', { PatientBirthDate: '1984-02-29' }],
    ['Modality', { Modality: 'Ö' }],
    ['Rows', { Rows: 70000 }],
    ['PatientID', { PatientID: 'a\\b' }],
    ['SOPInstanceUID', { SOPInstanceUID: '' }],
    ['PixelData', { PixelData: { frames: [] } }],
  ] as const)('names %s, and not its value, when it cannot be written', (keyword, wrong) => {
    const write = () => writeDicom({ ...sample, ...wrong }, { transferSyntax: TRANSFER_SYNTAX.explicitLittle });
    expect(write).toThrow(keyword);
    const value = Object.values(wrong)[0];
    if (typeof value === 'string' && value.length > 1) expect(write).not.toThrow(value);
  });
});

describe('identifiers', () => {
  it('are the same for the same seed, differ otherwise, and are well formed', () => {
    const seeds = Array.from({ length: 20_000 }, (_, index) => `patient/${index}`);
    expect(new Set(seeds.map(uuidFrom)).size).toBe(seeds.length);
    expect(uuidFrom('a')).toBe(uuidFrom('a'));
    for (const seed of seeds.slice(0, 300)) {
      expect(uuidFrom(seed)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(uidFrom(seed)).toMatch(/^2\.25\.[1-9]\d{0,38}$/);
    }
  });

  it('come from the UUID as one integer', () => {
    const [uuid, uid] = [uuidFrom('x'), uidFrom('x')];
    expect(BigInt(uid.slice(5)).toString(16).padStart(32, '0')).toBe(uuid.replaceAll('-', ''));
  });
});

it('decimalString keeps to sixteen characters', () => {
  for (const value of [1 / 3, -1 / 3e9, 12345678.123456789, 1e-7 / 3, -123456789012345, 0.1 + 0.2]) {
    const text = decimalString(value);
    expect(text.length).toBeLessThanOrEqual(16);
    expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-6);
  }
});
