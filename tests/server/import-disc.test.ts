import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import { directoryFile } from '../dicom/build-dicom.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from '../dicom/corpus.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let drive: ReturnType<typeof clinicImport>;
let asa: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  drive = clinicImport(archive);
  asa = await archive.addPatient();
});

afterAll(() => archive.close());

const outcomes = ({ files }: ImportTask) =>
  Object.fromEntries(files.map((file) => [file.path, file.problem ? `${file.status}: ${file.problem}` : file.status]));

test("imports a disc's images, adds rows for missing files and ignores its viewer", async () => {
  const id = await drive.begin(
    {
      'CD/DICOMDIR': directoryFile(['IMG\\I1', 'IMG\\I2', 'IMG\\I3']),
      'CD/img/i1': smallObject({ SOPInstanceUID: '2.25.601' }),
      'CD/img/i2': smallObject({ SOPInstanceUID: '2.25.602' }).subarray(0, 501),
      'CD/VIEWER.EXE': Buffer.from('MZ and so on'),
    },
    'dicomdir',
  );
  expect((await archive.post('/resource/ImageImport/dicomdir/unpacked_parse', { id })).status).toBe(200);
  const parsed = await archive.waitForStep(id, 3);
  expect(outcomes(parsed)).toEqual({
    'CD/DICOMDIR': 'ignored: media-directory',
    'CD/img/i1': 'parsed',
    'CD/img/i2': expect.stringMatching(/^refused: (truncated|pixel-data-short)$/),
    'CD/VIEWER.EXE': 'ignored: no-image',
    'CD/IMG/I3': 'refused: file-missing',
  });
  for (const file of parsed.files) if (file.problem) expect(file.detail).toBeTruthy();

  const confirm = async (body: object) => {
    const reply = await archive.post('/resource/ImageImport/dicomdir/import', { id, ...body });
    return (await reply.json()).code ?? 'confirmed';
  };
  expect(await confirm({ dicomDirSystemName: 'another' })).toBe('invalid-request');
  expect(await confirm({ totalFilesCount: 77 })).toBe('invalid-request');
  expect(await confirm({ dicomDirSystemName: parsed.dicomSystemName, totalFilesCount: 4 })).toBe('confirmed');
  const done = await archive.waitForStep(id, 5);
  expect(done).toMatchObject({ step: 5, error: false });
  expect(outcomes(done)).toMatchObject({ 'CD/img/i1': 'imported', 'CD/IMG/I3': 'refused: file-missing' });
});

test('a disc without any of its images fails, and lists each missing file', async () => {
  const id = await drive.begin({ DICOMDIR: directoryFile(['A', 'B']) }, 'dicomdir');
  const failed = await archive.parse(id);
  expect(failed).toMatchObject({ step: 3, error: true });
  expect(outcomes(failed)).toEqual({
    DICOMDIR: 'ignored: media-directory',
    A: 'refused: file-missing',
    B: 'refused: file-missing',
  });
});

describe.skipIf(!corpusIsThere)('a real set of three patients', () => {
  const folder = 'dicomdir/pydicom-set/';

  test('imports a whole disc, deciding each study separately', async () => {
    const files = corpusFiles().filter((file) => file.startsWith(folder));
    const chosen = Object.fromEntries(files.map((file) => [file.slice(folder.length), corpusBytes(file)]));
    const task = await drive.parsed(chosen, 'dicomdir');
    expect(task).toMatchObject({ step: 3, error: false });
    expect(task.studies.length).toBeGreaterThan(2);
    for (const study of task.studies) {
      expect(study.obstacles).toEqual(['patient-missing']);
      await drive.decided(task.id, study.key, { patientId: asa, mismatchConfirmed: true });
    }
    const done = await drive.imported(task.id);
    expect(done.files.filter((file) => file.status === 'imported')).toHaveLength(files.length - 1);
    expect(archive.failures).toEqual([]);
  });
});
