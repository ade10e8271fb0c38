import { describe, expect, it } from 'vitest';
import { groupsOf, type ImportGroup } from '../../src/views/import/groups.ts';

const read = (...paths: string[]) => ({
  files: paths.map((path) => ({ file: new File(['x'], path.slice(path.lastIndexOf('/') + 1)), path })),
  unreadable: [],
  emptyFolders: [],
});
const grouped = (...paths: string[]) =>
  groupsOf(read(...paths)).groups.map(({ kind, name, more, files }) => ({
    kind,
    name,
    more,
    paths: files.map(({ path }) => path),
  }));

const pathsLeft = ({ leftOut }: Pick<ImportGroup, 'leftOut'>) => leftOut.map(({ path }) => path);

describe('dropped items', () => {
  it('become one import per unit: a disc, a zip, the pictures, the rest', () => {
    expect(
      grouped('CD/DICOMDIR', 'CD/IMAGES/I0001', 'export.zip', 'a.jpg', 'b.JPEG', 'c.png', 'broken.dcm', 'CT/1', 'CT/2'),
    ).toEqual([
      { kind: 'dicomdir', name: 'CD', more: 0, paths: ['DICOMDIR', 'IMAGES/I0001'] },
      { kind: 'dicomdir', name: 'export.zip', more: 0, paths: ['export.zip'] },
      { kind: 'static', name: 'a.jpg', more: 2, paths: ['a.jpg', 'b.JPEG', 'c.png'] },
      { kind: 'dicom', name: 'broken.dcm', more: 0, paths: ['broken.dcm'] },
      { kind: 'dicom', name: 'CT', more: 0, paths: ['CT/1', 'CT/2'] },
    ]);
  });

  it.each(['DICOMDIR', 'dicomdir', 'DicomDir', 'DICOMDIR;1', 'DICOMDIR.;1', 'dicomdir.'])(
    'detects a disc by %s, at any depth, with paths as in the DICOMDIR',
    (directory) => {
      expect(grouped(`a/b/DISC/${directory}`, 'a/b/DISC/DICOM/0001/IM1', 'a/other')).toEqual([
        { kind: 'dicomdir', name: 'a/b/DISC', more: 0, paths: [directory, 'DICOM/0001/IM1'] },
        { kind: 'dicom', name: 'a', more: 0, paths: ['a/other'] },
      ]);
    },
  );

  it('keep a disc whole: pictures and nested discs stay in it, zips are separate', () => {
    expect(grouped('CD/DICOMDIR', 'CD/PREVIEW/P1.JPG', 'CD/OLD/DICOMDIR', 'CD/OLD/I1', 'CD/backup.zip')).toEqual([
      { kind: 'dicomdir', name: 'CD', more: 0, paths: ['DICOMDIR', 'PREVIEW/P1.JPG', 'OLD/DICOMDIR', 'OLD/I1'] },
      { kind: 'dicomdir', name: 'backup.zip', more: 0, paths: ['CD/backup.zip'] },
    ]);
  });

  it('make two imports of two discs, even in one folder or with one name', () => {
    expect(grouped('in/A/DICOMDIR', 'in/A/I1', 'in/B/dicomdir', 'in/B/I1').map(({ name }) => name)).toEqual([
      'in/A',
      'in/B',
    ]);
  });

  it('include the contents of a disc dropped without its folder', () => {
    expect(grouped('DICOMDIR', 'IMAGES/I1', 'README', 'photo.jpg')).toEqual([
      { kind: 'dicomdir', name: 'DICOMDIR', more: 2, paths: ['DICOMDIR', 'IMAGES/I1', 'README'] },
      { kind: 'static', name: 'photo.jpg', more: 0, paths: ['photo.jpg'] },
    ]);
  });

  it('never group pictures of two folders, because pictures do not identify the patient', () => {
    expect(grouped('patients/Anna/1.jpg', 'patients/Anna/2.jpg', 'patients/Bo/1.jpg').map(({ name }) => name)).toEqual([
      'patients/Anna',
      'patients/Bo',
    ]);
  });

  it('group all DICOM files of a folder, with or without extension, including UID digits', () => {
    expect(grouped('CT/1.2.840.113619.2.55', 'CT/IM-0001', 'CT/s/2.DCM', 'CT/scan.ima')).toHaveLength(1);
    expect(grouped('CT/1.2.840.113619.2.55', 'CT/IM-0001', 'CT/s/2.DCM', 'CT/scan.ima')[0]?.paths).toHaveLength(4);
  });
});

describe('non-image files', () => {
  it('are skipped in folders by name, and listed with the import of their folder', () => {
    const { groups, nothingIn } = groupsOf(
      read('CD/DICOMDIR', 'CD/I1', 'CD/viewer.EXE', 'CD/AUTORUN.INF', 'CD/help/index.html', 'CD/.DS_Store', 'x.dcm'),
    );
    expect(groups.map(pathsLeft)).toEqual([
      ['CD/viewer.EXE', 'CD/AUTORUN.INF', 'CD/help/index.html', 'CD/.DS_Store'],
      [],
    ]);
    expect(nothingIn).toEqual([]);
  });

  it('are uploaded when chosen directly; the server rejects them by name', () => {
    expect(grouped('notes.txt', 'letter.doc')).toEqual([
      { kind: 'dicom', name: 'notes.txt', more: 1, paths: ['notes.txt', 'letter.doc'] },
    ]);
  });

  it('are imported like pictures when they are PDFs that were chosen directly', () => {
    expect(grouped('letter.PDF', 'photo.jpg')).toEqual([
      { kind: 'static', name: 'letter.PDF', more: 1, paths: ['letter.PDF', 'photo.jpg'] },
    ]);
  });

  it('are listed with an import from a subfolder when the folder itself has none', () => {
    const { groups, nothingIn } = groupsOf(read('in/readme.txt', 'in/disc/DICOMDIR', 'in/disc/I1'));
    expect(groups.map(pathsLeft)).toEqual([['in/readme.txt']]);
    expect(nothingIn).toEqual([]);
  });

  it('may be all that a folder contains, which is reported', () => {
    const { groups, nothingIn } = groupsOf({ ...read('docs/a.pdf', 'docs/b.txt'), emptyFolders: ['empty'] });
    expect(groups).toEqual([]);
    expect(nothingIn.map((one) => [one.name, ...pathsLeft(one)])).toEqual([
      ['docs', 'docs/a.pdf', 'docs/b.txt'],
      ['empty'],
    ]);
  });
});

it('reports a DICOMDIR chosen without the files it lists', () => {
  const alone = groupsOf(read('DICOMDIR'));
  expect(alone).toMatchObject({ groups: [], lonely: [{ path: 'DICOMDIR' }] });
  expect(groupsOf(read('DICOMDIR', 'I1')).lonely).toEqual([]);
});

it('lists unreadable entries with the import of their folder', () => {
  const { groups } = groupsOf({ ...read('CT/1'), unreadable: ['CT/2'] });
  expect(groups[0]?.leftOut).toEqual([{ path: 'CT/2', why: 'unreadable' }]);
});

it('uploads or lists every file exactly once', () => {
  const names = ['DICOMDIR', 'I1', 'a.jpg', 'b.zip', 'c.exe', 'd.dcm', '.hidden', 'e.txt'];
  const folders = ['', 'A/', 'A/B/', 'A/B/C/', 'D/', 'D/E/'];
  for (let pattern = 1; pattern < 4096; pattern += 7) {
    const paths = folders.flatMap((folder, at) =>
      names.filter((_, index) => (pattern * (at + 3) * (index + 5)) % 11 < 5).map((name) => `${folder}${name}`),
    );
    const given = read(...paths);
    const { groups, nothingIn, lonely } = groupsOf(given);
    const sent = groups.flatMap(({ files }) => files.map(({ file }) => file));
    const left = [...groups, ...nothingIn].flatMap(pathsLeft);
    expect(new Set(sent).size).toBe(sent.length);
    expect(new Set(left).size).toBe(left.length);
    expect(sent.length + left.length + lonely.length).toBe(paths.length);
  }
});

it('groups ten times as many files of ten times as many folders in at most forty times the time', () => {
  const fastestMs = (folders: number) => {
    const paths = Array.from({ length: 10 * folders }, (_, index) => `in/study ${index % folders}/series/IM${index}`);
    const times = [1, 2, 3].map(() => {
      const started = performance.now();
      expect(grouped(...paths)).toHaveLength(1);
      return performance.now() - started;
    });
    return Math.min(...times);
  };
  expect(fastestMs(1_000) / fastestMs(100)).toBeLessThan(40);
});
