import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileProblem } from '../../contract/imports.ts';
import { createImaging, type Imaging } from '../../server/dicom/imaging.ts';
import { besideImages, type FileOnDisc, type FoundDirectory, missingFiles } from '../../server/imports/read/disc.ts';
import { type FileReading, readReceivedFile } from '../../server/imports/read/read-file.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { directoryFile } from '../dicom/build-dicom.ts';
import { zipOf } from '../dicom/build-zip.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from '../dicom/corpus.ts';

const on = (path: string, containerId: string | null = null): FileOnDisc => ({ id: path, path, containerId });
const directory = (path: string, paths: readonly string[], containerId: string | null = null): FoundDirectory => ({
  ...on(path, containerId),
  paths,
});
const rejected = (path: string, problem: FileProblem = 'not-dicom', containerId: string | null = null) => ({
  ...on(path, containerId),
  problem,
});

describe('missing files of a DICOMDIR', () => {
  const named = directory('CD/DICOMDIR', ['DICOM/IM000001', 'DICOM/IM000002', 'DICOM/IM000002']);

  it('are reported once, with their expected path', () => {
    expect(missingFiles(named, [on('CD/DICOMDIR')])).toEqual(['CD/DICOM/IM000001', 'CD/DICOM/IM000002']);
  });

  it.each([
    ['as they are named', 'CD/DICOM/IM000001', 'CD/DICOM/IM000002'],
    ['in lower case, as some systems show a disc', 'CD/dicom/im000001', 'cd/dicom/im000002'],
    ['with versions of ISO 9660', 'CD/DICOM/IM000001.;1', 'CD/DICOM/IM000002;1'],
  ])('are none when the files exist %s', (_, ...paths) => {
    expect(
      missingFiles(
        named,
        paths.map((path) => on(path)),
      ),
    ).toEqual([]);
  });

  it('are looked up relative to the DICOMDIR and in its own zip only', () => {
    const files = [on('DICOM/IM000001'), on('CD/DICOM/IM000001', 'zip'), on('CD/DICOM/IM000002')];
    expect(missingFiles(named, files)).toEqual(['CD/DICOM/IM000001']);
    expect(missingFiles(directory('DICOMDIR', ['DICOM/IM000001']), files)).toEqual([]);
    expect(missingFiles(directory('x/DICOMDIR', ['IM1'], 'zip'), [on('x/IM1')])).toEqual(['x/IM1']);
  });
});

describe('files beside the images of a disc', () => {
  const disc = directory('CD/DICOMDIR', ['DICOM/IM1']);
  const ignored = (files: readonly ReturnType<typeof rejected>[], found = [disc], more: readonly FileOnDisc[] = []) => [
    ...besideImages(files, found, [...found, ...files, ...more]),
  ];

  it('are the unlisted files that are not DICOM, in any folder', () => {
    expect(ignored([rejected('CD/VIEWER.EXE'), rejected('autorun.inf'), rejected('CD/a/empty', 'empty')])).toEqual([
      'CD/VIEWER.EXE',
      'autorun.inf',
      'CD/a/empty',
    ]);
  });

  it('exclude listed files and broken images', () => {
    expect(
      ignored([rejected('CD/dicom/im1'), rejected('CD/other', 'truncated'), rejected('b', 'decode-failed')]),
    ).toEqual([]);
  });

  it('do not exist without a DICOMDIR', () => {
    expect(ignored([rejected('letter.txt')], [])).toEqual([]);
    const inZip = directory('DICOMDIR', ['IM1'], 'disc zip');
    expect(ignored([rejected('letter.txt', 'not-dicom', 'other zip'), rejected('loose.txt')], [inZip])).toEqual([]);
  });

  it("include files in zips on the disc, and in the disc's own zip", () => {
    const zip = { ...on('CD/help.zip'), id: 'zip' };
    expect(ignored([rejected('help.htm', 'not-dicom', 'zip')], [disc], [zip])).toEqual(['help.htm']);
    const inZip = directory('DICOMDIR', ['IM1'], 'disc zip');
    expect(ignored([rejected('viewer.exe', 'not-dicom', 'disc zip'), rejected('loose.txt')], [inZip])).toEqual([
      'viewer.exe',
    ]);
  });
});

describe('reading a received file', () => {
  let folder = '';
  let files: FileStore;
  let imaging: Imaging;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-disc-'));
    files = await openDiskStore(folder);
    imaging = createImaging({ workers: 1 });
  });
  afterAll(async () => {
    await imaging.close();
    await rm(folder, { recursive: true });
  });

  const read = async (bytes: Uint8Array, fileName = 'any'): Promise<FileReading> => {
    const stored = await files.put(
      (async function* () {
        yield bytes;
      })(),
    );
    const reading = {
      files,
      imaging,
      onFailure: (error: unknown) => expect.fail(String(error)),
      isClosing: () => false,
    };
    const facts = { task_id: 'task', file_name: fileName, sha256: stored.sha256, size_bytes: stored.sizeBytes };
    return readReceivedFile(reading, facts);
  };

  it.each([
    ['explicit', '1.2.840.10008.1.2.1'],
    ['without a transfer syntax', ''],
  ])('returns the files that a DICOMDIR names, %s', async (_, syntax) => {
    const bytes = directoryFile(['DICOM\\IM1', 'DICOM\\IM2', 'DICOM\\IM1'], syntax || undefined);
    expect(await read(bytes)).toEqual({ kind: 'directory', paths: ['DICOM/IM1', 'DICOM/IM2'] });
  });

  it.each([['..\\x'], ['C:\\x'], ['a\\..\\..\\x'], ['/etc/passwd'], ['a:b\\c']])(
    'rejects one that names %s',
    async (name) => {
      expect(await read(directoryFile(['IM1', name]))).toMatchObject({ kind: 'refused', problem: 'malformed' });
    },
  );

  it('detects a zip by content, not by its name', async () => {
    expect(await read(zipOf([{ name: 'a', bytes: Uint8Array.of(1) }]), 'images.dcm')).toEqual({ kind: 'zip' });
    expect(await read(zipOf([]))).toEqual({ kind: 'zip' });
    const text = new TextEncoder().encode('not a zip, whatever its name is; '.repeat(20));
    expect(await read(text, 'images.ZIP')).toMatchObject({ kind: 'refused', problem: 'zip-damaged' });
    expect(await read(text, 'images.dcm')).toMatchObject({ kind: 'refused', problem: 'not-dicom' });
  });

  it.skipIf(!corpusIsThere)('finds every file of a real disc, and reports a removed one as missing', async () => {
    const set = 'dicomdir/pydicom-set/';
    const found = await read(corpusBytes(`${set}DICOMDIR`));
    if (found.kind !== 'directory') throw new Error(found.kind);
    expect(found.paths.length).toBe(31);
    const rows = corpusFiles()
      .filter((name) => name.startsWith(set))
      .map((name) => on(name.replace(set, 'any folder/').toLowerCase()));
    const disc = directory('any folder/DICOMDIR', found.paths);
    expect(missingFiles(disc, rows)).toEqual([]);
    expect(
      missingFiles(
        disc,
        rows.filter(({ path }) => !path.endsWith('/6154')),
      ),
    ).toEqual(['any folder/77654033/CR1/6154']);
  });

  it.skipIf(!corpusIsThere).each(['bigEnd', 'nopatient'])('reads the real DICOMDIR "%s"', async (name) => {
    const found = await read(corpusBytes(`dicomdir/variants/DICOMDIR-${name}`));
    expect(found).toMatchObject({ kind: 'directory', paths: { length: 31 } });
  });

  it.skipIf(!corpusIsThere)('reads a DICOMDIR with a damaged last record up to that record', async () => {
    const found = await read(corpusBytes('dicomdir/variants/DICOMDIR-nooffset'));
    expect(found.kind === 'directory' ? found.paths.length : found).toBeGreaterThan(20);
  });
});
