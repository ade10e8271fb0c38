import dicomParser from 'dicom-parser';
import { describe, expect, it } from 'vitest';
import { isDirectory, readDirectory } from '../../dicom/directory.ts';
import { type DirectoryKeys, directoryKeysOf } from '../../dicom/directory-keys.ts';
import { readDicomFile } from '../../dicom/file.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { type ListedFile, writeDirectory } from '../../dicom/write/directory.ts';
import { uidFrom } from '../../dicom/write/uid.ts';
import { smallObject } from '../server/small-object.ts';

const keysOf = (changes: DataSet = {}): DirectoryKeys => directoryKeysOf(readDicomFile(smallObject(changes)));

let count = 0;
const listed = (changes: DataSet = {}): ListedFile => {
  count += 1;
  const keys = keysOf({ SOPInstanceUID: uidFrom(`image ${count}`), ...changes });
  return { path: ['DICOM', `IM${String(count).padStart(6, '0')}`], keys };
};

interface FoundRecord {
  readonly type: string;
  readonly name: string;
  readonly below: readonly FoundRecord[];
}

const nameTags: Readonly<Record<string, string>> = {
  PATIENT: 'x00100020',
  STUDY: 'x0020000d',
  SERIES: 'x0020000e',
  IMAGE: 'x00041511',
};

/** Follows the offsets of the records, as a reader that does not trust their order. */
const linkedRecords = (bytes: Uint8Array) => {
  const root = dicomParser.parseDicom(bytes);
  const byOffset = new Map(
    (root.elements.x00041220?.items ?? []).map((item) => [
      (item.dataOffset ?? 0) - 8,
      item.dataSet as dicomParser.DataSet,
    ]),
  );
  const seen = new Set<number>();
  const follow = (start: number | undefined): FoundRecord[] => {
    const found: FoundRecord[] = [];
    for (let offset = start ?? 0; offset > 0; ) {
      const record = byOffset.get(offset);
      if (!record || seen.has(offset)) throw new Error(`no record, or a second link to it, at ${offset}`);
      seen.add(offset);
      const type = record.string('x00041430') ?? '';
      found.push({ type, name: record.string(nameTags[type] ?? '') ?? '', below: follow(record.uint32('x00041420')) });
      offset = record.uint32('x00041400') ?? 0;
    }
    return found;
  };
  const tree = follow(root.uint32('x00041200'));
  return { root, tree, unreached: byOffset.size - seen.size, lastRoot: byOffset.get(root.uint32('x00041202') ?? 0) };
};

const shape = (records: readonly FoundRecord[]): unknown =>
  records.map(({ name, below }) => (below.length > 0 ? [name, shape(below)] : name));

describe('a DICOMDIR', () => {
  const files = [
    listed({ PatientID: 'B' }),
    listed({ PatientID: 'A', StudyInstanceUID: '2.25.20', SeriesInstanceUID: '2.25.30' }),
    listed({ PatientID: 'A', StudyInstanceUID: '2.25.20', SeriesInstanceUID: '2.25.31' }),
    listed({ PatientID: 'A', StudyInstanceUID: '2.25.21', SeriesInstanceUID: '2.25.32' }),
    listed({ PatientID: 'A', StudyInstanceUID: '2.25.20', SeriesInstanceUID: '2.25.30' }),
  ];
  const uidsOf = (...indexes: number[]) => indexes.map((index) => files[index]?.keys.image.sopInstanceUid);

  it('links patients, studies, series and images by offsets that reach every record once', () => {
    const { root, tree, unreached, lastRoot } = linkedRecords(writeDirectory(files, '2.25.9'));
    expect(shape(tree)).toEqual([
      ['B', [['2.25.1002', [['2.25.1003', uidsOf(0)]]]]],
      [
        'A',
        [
          [
            '2.25.20',
            [
              ['2.25.30', uidsOf(1, 4)],
              ['2.25.31', uidsOf(2)],
            ],
          ],
          ['2.25.21', [['2.25.32', uidsOf(3)]]],
        ],
      ],
    ]);
    expect([unreached, lastRoot?.string('x00100020')]).toEqual([0, 'A']);
    expect(root.string('x00020002')).toBe('1.2.840.10008.1.3.10');
    expect(root.string('x00020003')).toBe('2.25.9');
    expect(root.string('x00020010')).toBe('1.2.840.10008.1.2.1');
    expect(root.uint16('x00041212')).toBe(0);
  });

  it('is read by the importer to the same files', () => {
    const file = readDicomFile(writeDirectory(files, '2.25.9'));
    expect(isDirectory(file)).toBe(true);
    expect(readDirectory(file)).toEqual(
      [0, 1, 4, 2, 3].map((index) => ({
        path: files[index]?.path,
        recordType: 'IMAGE',
        sopInstanceUid: files[index]?.keys.image.sopInstanceUid,
      })),
    );
  });

  it('keeps two patients of one number apart when their names differ', () => {
    const { tree } = linkedRecords(
      writeDirectory([listed({ PatientName: 'Ek^Bo' }), listed({ PatientName: 'Alm^Bo' })], '2.25.9'),
    );
    expect(tree).toHaveLength(2);
  });

  it('keeps two patients of one number and name apart when their birth dates differ', () => {
    const { dataSet } = readDicomFile(
      writeDirectory([listed(), listed({ PatientBirthDate: '19520203', StudyInstanceUID: '2.25.21' })], '2.25.9'),
    );
    const births = dataSet.sequence(0x00041220).map((record) => record.code(0x00100030));
    expect(births.filter((date) => date !== null)).toEqual(['19800101', '19520203']);
  });

  it('does not make one patient of studies that name no patient number', () => {
    const nameless = { PatientID: null, PatientName: null, PatientBirthDate: null };
    const { root, tree } = linkedRecords(
      writeDirectory(
        [listed(nameless), listed({ ...nameless, StudyInstanceUID: '2.25.21' }), listed(nameless)],
        '2.25.9',
      ),
    );
    expect(tree.map(({ name, below }) => [name, below.map((study) => study.name)])).toEqual([
      ['UNKNOWN1', ['2.25.1002']],
      ['UNKNOWN2', ['2.25.21']],
    ]);
    expect(root.elements.x00041220?.items).toHaveLength(9);
  });

  it('repeats what the file says, in UTF-8', () => {
    const { dataSet } = readDicomFile(writeDirectory([listed({ PatientName: 'Åkerström^Łucja' })], '2.25.9'));
    const [patient, study, series, image] = dataSet.sequence(0x00041220);
    expect(patient?.code(0x00080005)).toBe('ISO_IR 192');
    expect(patient?.text(0x00100010)).toBe('Åkerström^Łucja');
    expect(patient?.code(0x00100030)).toBe('19800101');
    expect(study?.code(0x00080020)).toBe('20260312');
    expect(study?.text(0x00081030)).toBe('Check-up');
    expect(series?.code(0x00080060)).toBe('IO');
    expect(image?.code(0x00041512)).toBe('1.2.840.10008.1.2.1');
    expect(image?.code(0x00041510)).toBe('1.2.840.10008.5.1.4.1.1.1.1');
  });

  it('fills keys that the standard requires and the file lacks', () => {
    const bare = { PatientID: null, StudyDate: null, StudyTime: null, StudyID: null, SeriesNumber: null };
    const missing = { ...bare, InstanceNumber: null, Modality: null };
    const { dataSet } = readDicomFile(writeDirectory([listed(missing)], '2.25.9'));
    const [patient, study, series, image] = dataSet.sequence(0x00041220);
    expect([patient?.code(0x00100020), study?.code(0x00080020), study?.code(0x00080030)]).toEqual([
      'UNKNOWN1',
      '19000101',
      '000000',
    ]);
    expect([study?.code(0x00200010), series?.code(0x00080060)]).toEqual(['1', 'OT']);
    expect([series?.number(0x00200011, 'IS'), image?.number(0x00200013, 'IS')]).toEqual([1, 1]);
  });

  it('accepts values that break the rules of their VR', () => {
    const directory = writeDirectory(
      [listed({ StudyDescription: 'x'.repeat(64), PatientName: 'a'.repeat(300), StudyID: 'åäö' })],
      '2.25.9',
    );
    const [patient, study] = readDicomFile(directory).dataSet.sequence(0x00041220);
    expect(patient?.text(0x00100010)).toBe('a'.repeat(194));
    expect(study?.text(0x00200010)).toBe('åäö');
  });

  it('cannot list a file without UIDs, or with an invalid transfer syntax', () => {
    expect(() => keysOf({ StudyInstanceUID: null })).toThrow('malformed');
    const file = readDicomFile(smallObject());
    expect(() => directoryKeysOf({ ...file, transferSyntaxUid: '1.2.A' })).toThrow('malformed');
  });
});
