import { describe, expect, it } from 'vitest';
import { isoDate, isoTime } from '../../dicom/date-time.ts';
import { isDirectory, readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { summarise } from '../../dicom/identity.ts';
import { readTeeth } from '../../dicom/teeth.ts';
import { bytesOf, element, item, part10, us } from './build-dicom.ts';

const read = (...parts: readonly Uint8Array[]) => readDicomFile(part10(bytesOf(...parts)));

describe('the summary of an object', () => {
  it('contains trimmed values, with null for empty ones', () => {
    const file = read(
      element(0x00080005, 'CS', 'ISO_IR 100'),
      element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.1.3'),
      element(0x00080018, 'UI', '1.2.3.9'),
      element(0x00080020, 'DA', '20240131'),
      element(0x00080023, 'DA', '20240201'),
      element(0x00080030, 'TM', '0907'),
      element(0x00080033, 'TM', '101112.345'),
      element(0x00080050, 'SH', ''),
      element(0x00080060, 'CS', 'IO'),
      element(0x00080070, 'LO', 'Maker '),
      element(0x00100010, 'PN', bytesOf([0xc5], 'berg^Eva^M=x')),
      element(0x00100020, 'LO', ' 19121212-1212 '),
      element(0x00100030, 'DA', '19121212'),
      element(0x00100040, 'CS', 'F'),
      element(0x00187004, 'CS', 'SCINTILLATOR'),
      element(0x0020000d, 'UI', '1.2.3'),
      element(0x0020000e, 'UI', '1.2.3.4'),
      element(0x00200011, 'IS', '3'),
      element(0x00200013, 'IS', '12 '),
      element(0x00200062, 'CS', 'R'),
    );
    expect(summarise(file)).toEqual({
      patient: {
        id: '19121212-1212',
        name: 'Åberg^Eva^M=x',
        familyName: 'Åberg',
        givenName: 'Eva',
        middleName: 'M',
        birthDate: '1912-12-12',
        sex: 'F',
        comments: null,
      },
      study: {
        instanceUid: '1.2.3',
        id: null,
        date: '2024-01-31',
        time: '09:07:00',
        description: null,
        accessionNumber: null,
      },
      series: { instanceUid: '1.2.3.4', number: 3, modality: 'IO', description: null },
      instance: {
        sopInstanceUid: '1.2.3.9',
        sopClassUid: '1.2.840.10008.5.1.4.1.1.1.3',
        number: 12,
        comments: null,
        acquiredDate: '2024-02-01',
        acquiredTime: '10:11:12',
        laterality: 'R',
        anatomicRegion: null,
        teeth: [],
      },
      equipment: { manufacturer: 'Maker', model: null, institution: null, detector: 'SCINTILLATOR' },
      transferSyntaxUid: '1.2.840.10008.1.2.1',
    });
  });

  it('treats an empty name as missing', () => {
    expect(summarise(read(element(0x00100010, 'PN', '^^^^'))).patient).toMatchObject({ name: null, familyName: null });
  });

  it.each([
    ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada'],
    ['=山田^太郎', '=山田^太郎', null],
    ['Yamada^Tarou==', 'Yamada^Tarou', 'Yamada'],
    ['==', null, null],
  ])('keeps all groups of the name %s', (written, name, familyName) => {
    const value = new TextEncoder().encode(written);
    const summary = summarise(read(bytesOf(element(0x00080005, 'CS', 'ISO_IR 192'), element(0x00100010, 'PN', value))));
    expect(summary.patient).toMatchObject({ name, familyName });
  });

  it('prefers the date and time of acquisition', () => {
    const file = read(element(0x0008002a, 'DT', '20230405060708.5+0100'), element(0x00080022, 'DA', '20200101'));
    expect(summarise(file).instance).toMatchObject({ acquiredDate: '2023-04-05', acquiredTime: '06:07:08' });
  });

  it.each([
    ['20240229', '2024-02-29'],
    ['2024.02.29', '2024-02-29'],
    ['20230229', null],
    ['20241301', null],
    ['2024', null],
    ['00000000', null],
  ])('reads the date %s as %s', (value, iso) => {
    expect(isoDate(value)).toBe(iso);
  });

  it.each([
    ['14', '14:00:00'],
    ['1436', '14:36:00'],
    ['14:36:31', '14:36:31'],
    ['143631.120', '14:36:31'],
    ['2536', null],
    ['', null],
  ])('reads the time %s as %s', (value, iso) => {
    expect(isoTime(value)).toBe(iso);
  });
});

const tooth = (value: string, scheme: string, meaning = '') =>
  item(
    bytesOf(element(0x00080100, 'SH', value), element(0x00080102, 'SH', scheme), element(0x00080104, 'LO', meaning)),
  );

const teethOf = (...items: readonly Uint8Array[]) =>
  readTeeth(read(element(0x00082228, 'SQ', bytesOf(...items))).dataSet);

describe('teeth', () => {
  it('come from SNOMED CT, SNOMED-RT codes, ISO 3950 and code meanings', () => {
    expect(teethOf(tooth('68085002', 'SCT'), tooth('T-54210', 'SNM3'), tooth('T-54480', 'SRT'))).toEqual([18, 44]);
    expect(teethOf(tooth('46', 'ISO3950-2010'), tooth('49', 'FDI'))).toEqual([46]);
  });

  it.each([
    ['Maxillary right third molar tooth', [18]],
    ['Maxillary left central incisor tooth', [21]],
    ['Mandibular left third molar tooth', [38]],
    ['Mandibular right lateral incisor tooth', [42]],
    ['Mandibular right second molar tooth', [47]],
    ['Maxillary right primary canine tooth', [53]],
    ['Mandibular left deciduous first molar tooth', [74]],
    ['Mandibular right primary second molar tooth', [85]],
    ['Jaw region', []],
    ['Permanent tooth', []],
  ])('in words: %s', (meaning, numbers) => {
    expect(teethOf(tooth('x', '99LOCAL', meaning))).toEqual(numbers);
  });

  it('map SNOMED-RT codes: lower left is 3x, lower right 4x', () => {
    expect(teethOf(...['T-54370', 'T-54440', 'T-54450', 'T-54520'].map((code) => tooth(code, 'SRT')))).toEqual([
      38, 31, 41, 48,
    ]);
    expect(teethOf(tooth('T-54200', 'SRT'), tooth('T-54530', 'SRT'))).toEqual([]);
  });
});

describe('a DICOMDIR', () => {
  const record = (type: string, path: string | null, inUse = 0xffff) =>
    item(
      bytesOf(
        us(0x00041410, inUse),
        element(0x00041430, 'CS', type),
        path === null ? [] : element(0x00041500, 'CS', path),
        element(0x00041511, 'UI', '1.2'),
      ),
    );

  it('lists its files without inactive records', () => {
    const records = [record('PATIENT', null), record('IMAGE', 'A\\B\\IM1'), record('IMAGE', 'A\\IM2', 0)];
    const file = read(element(0x00041220, 'SQ', bytesOf(...records)));
    expect(isDirectory(file)).toBe(true);
    expect(readDirectory(file)).toEqual([{ path: ['A', 'B', 'IM1'], recordType: 'IMAGE', sopInstanceUid: '1.2' }]);
  });

  it.each(['..\\etc\\passwd', 'A\\..\\B', '/etc/passwd', 'C:\\X'])('may not name %s', (path) => {
    expect(() => readDirectory(read(element(0x00041220, 'SQ', record('IMAGE', path))))).toThrow('malformed');
  });

  it('is not an ordinary object', () => {
    expect(isDirectory(read(us(0x00280010, 1)))).toBe(false);
  });
});
