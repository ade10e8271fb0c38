import { expect, it } from 'vitest';
import { type DicomJson, jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { concat } from '../../dicom/write/elements.ts';
import { fileMeta } from '../../dicom/write/file-meta.ts';
import { bulkUrisOf, jsonElements } from '../../dicom/write/json-elements.ts';

const explicit = '1.2.840.10008.1.2.1';

/** Writes a data set, with nines as bulk data, and reads it again. */
const written = (json: DicomJson): DicomJson => {
  const pieces = jsonElements(json, { lengthOf: () => 3, isEncapsulated: false });
  const bytes = pieces.map((piece) => (piece instanceof Uint8Array ? piece : new Uint8Array(piece.length).fill(9)));
  return jsonOf(readDicomFile(concat([...fileMeta('1.2', '1.3', explicit), ...bytes])).dataSet, () => null);
};

it('a data set is read as it was written, with every value representation', () => {
  const json: DicomJson = {
    '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
    '00080008': { vr: 'CS', Value: ['ORIGINAL', 'PRIMARY'] },
    '00080018': { vr: 'UI', Value: ['1.3'] },
    '00080020': { vr: 'DA' },
    '00081115': { vr: 'SQ', Value: [{ '0020000E': { vr: 'UI', Value: ['1.2'] } }, {}] },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Åström^Öyvind', Ideographic: '山田', Phonetic: 'やまだ' }] },
    '00101030': { vr: 'DS', Value: [70.5, 1e-7] },
    '00280009': { vr: 'AT', Value: ['00181063'] },
    '00280010': { vr: 'US', Value: [65_535] },
    '00280106': { vr: 'SS', Value: [-32_768] },
    '00200013': { vr: 'IS', Value: [-7] },
    '00404000': { vr: 'LT', Value: ['a\\b'] },
    '00720070': { vr: 'LT', Value: ['text'] },
    '00720078': { vr: 'UL', Value: [4_294_967_295] },
    '0072007C': { vr: 'SL', Value: [-2_147_483_648] },
    '00720076': { vr: 'FL', Value: [0.5, -2] },
    '00720074': { vr: 'FD', Value: [0.1] },
    '00720082': { vr: 'SV', Value: [-5] },
    '00720083': { vr: 'UV', Value: ['18446744073709551615'] },
    '00420011': { vr: 'OB', InlineBinary: 'AQID' },
  };
  const { '00420011': bytes, ...others } = written(json);
  const { '00420011': _, ...given } = json;
  expect(others).toEqual(given);
  // Padded to an even length.
  expect(bytes).toEqual({ vr: 'OB', InlineBinary: 'AQIDAA==' });
});

it('values by reference are named once, and written in their place with an even length', () => {
  const json: DicomJson = {
    '00081140': { vr: 'SQ', Value: [{ '00282000': { vr: 'OB', BulkDataURI: 'a' } }] },
    '00282000': { vr: 'OB', BulkDataURI: 'a' },
    '00720070': { vr: 'LT', Value: ['after'] },
  };
  expect([...bulkUrisOf(json)]).toEqual(['a']);
  expect(written(json)).toMatchObject({
    '00081140': { Value: [{ '00282000': { InlineBinary: 'CQkJAA==' } }] },
    '00282000': { InlineBinary: 'CQkJAA==' },
    '00720070': { Value: ['after'] },
  });
});

it('group lengths and elements of the file are left out', () => {
  const json: DicomJson = { '00020010': { vr: 'UI', Value: ['1.2'] }, '00080000': { vr: 'UL', Value: [4] } };
  expect(Object.keys(written(json))).toEqual(['00080005']);
});

it.each(['Hemlig', '0x10', '', '9'.repeat(1_000), 0.5, null, { Alphabetic: 'Hemlig' }])(
  'refuses %j as a 64 bit number, without naming it',
  (value) => {
    const json = { '00720082': { vr: 'SV', Value: [value] } } as DicomJson;
    expect(() => written(json)).toThrow(/^a value of SV is no number$/);
  },
);
