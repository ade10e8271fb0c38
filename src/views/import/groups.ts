import { type ImportKind, pictureExtensions, videoExtensions } from '../../../contract/imports.ts';
import type { SkippedFile } from '../../machines/import-study/upload.rules.ts';
import type { FilesToImport } from '../../machines/imports/choose-files.ts';
import type { FilesRead, PlacedFile } from '../ui/dropped-files.ts';

/** Returns the last part of a path. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the path without its last part; '' for a file without a folder. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Returns the first folder of a path; '' for a file without a folder. */
const topFolder = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

const extensionOf = (path: string): string => /\.([^./]+)$/.exec(nameOf(path))?.[1]?.toLowerCase() ?? '';

/** Returns true for a DICOMDIR file. ISO 9660 appends a version (`DICOMDIR;1`) and uses capitals; copies may not. */
const isDirectoryFile = (path: string): boolean => /^dicomdir\.?(;\d+)?$/i.test(nameOf(path));

export const isZip = (path: string): boolean => extensionOf(path) === 'zip';
/** PDFs and videos in folders are manuals and are skipped before. */
const withoutPatient: ReadonlySet<string> = new Set([...pictureExtensions, ...videoExtensions, 'pdf']);
const namesNoPatient = (path: string): boolean => withoutPatient.has(extensionOf(path));

/** Returns true for files and folders of the operating system. */
const isLitter = (path: string): boolean =>
  path
    .split('/')
    .some((part) => /^(\.|__MACOSX$|Thumbs\.db$|desktop\.ini$|\$RECYCLE\.BIN$|System Volume Information$)/i.test(part));

/** Extensions of non-image files on discs and in exports. DICOM files end in `.dcm`, in UID digits or have no extension. */
const nonImages = new Set(
  [
    'exe dll inf ini bat cmd com msi sys ocx lnk url jar class so dylib',
    'html htm css js mjs json xml xsl xslt dtd xsd php asp',
    'pdf txt rtf doc docx xls xlsx ppt pptx odt ods csv md log hlp chm',
    'ico svg ttf otf woff woff2 db cfg conf config properties manifest',
    'mp3 wav avi mp4 m4v mov wmv mpg mpeg swf',
  ]
    .join(' ')
    .split(' '),
);

/** Returns true when the extension cannot be an image: a program, text or sound. */
const isNonImage = (path: string): boolean => nonImages.has(extensionOf(path));

/** A future import: files that were chosen as one unit. */
export interface ImportGroup {
  readonly kind: ImportKind;
  /** Name of the folder, zip or first file. */
  readonly name: string;
  /** Number of files besides the one that gives the name; 0 for folders and zips. */
  readonly more: number;
  /** Paths are relative to the DICOMDIR folder, else to what was dropped. */
  readonly files: readonly PlacedFile[];
  /** Files in its folders that are not uploaded: programs, texts, operating system files. */
  readonly leftOut: readonly SkippedFile[];
}

/** A folder without uploadable files; '' for files without a folder. */
interface EmptyFolder {
  readonly name: string;
  readonly leftOut: readonly SkippedFile[];
}

interface Grouped {
  readonly groups: readonly ImportGroup[];
  readonly nothingIn: readonly EmptyFolder[];
  /** DICOMDIRs without any file they could list. */
  readonly lonely: readonly PlacedFile[];
}

const byKey = <Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> => {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = found.get(key);
    if (known) known.push(item);
    else found.set(key, [item]);
  }
  return found;
};

/** Returns the folder and its ancestors, innermost first; '' is the root of what was dropped. */
const upwards = (folder: string): readonly string[] => {
  const names = folder === '' ? [] : folder.split('/');
  return [...names.map((_, index) => names.slice(0, names.length - index).join('/')), ''];
};

/** Returns the outermost ancestor folder that directly contains a DICOMDIR; null when there is none. */
const createRootOf = (files: readonly PlacedFile[]): ((path: string) => string | null) => {
  const holding = new Set(files.filter(({ path }) => isDirectoryFile(path)).map(({ path }) => folderOf(path)));
  const known = new Map<string, string | null>();
  return (path) => {
    const folder = folderOf(path);
    const cached = known.get(folder);
    if (cached !== undefined) return cached;
    const root = upwards(folder).findLast((candidate) => holding.has(candidate)) ?? null;
    known.set(folder, root);
    return root;
  };
};

const within = (root: string, { file, path }: PlacedFile): PlacedFile => ({
  file,
  path: root === '' ? path : path.slice(root.length + 1),
});

interface Sorted {
  readonly placed: PlacedFile;
  readonly kind: ImportKind;
  /** Groups files of the same kind. */
  readonly home: string;
  /** Folder of the file: DICOMDIR folder or top folder; '' for a file without a folder. */
  readonly root: string;
}

/** Pictures and PDFs do not identify their patient, so each folder of pictures is its own import. DICOM files are grouped by top folder. */
const sortOf = (placed: PlacedFile, root: string | null): Sorted => {
  const { path } = placed;
  const folder = folderOf(path);
  const top = topFolder(path);
  if (isZip(path)) return { placed, kind: 'dicomdir', home: path, root: top };
  if (namesNoPatient(path) && (root === null || folder === ''))
    return { placed, kind: 'static', home: folder, root: top };
  return root === null
    ? { placed, kind: 'dicom', home: top, root: top }
    : { placed: within(root, placed), kind: 'dicomdir', home: `${root}/`, root };
};

const groupOf = (members: readonly Sorted[], leftOut: readonly SkippedFile[]): ImportGroup => {
  const files = members.map(({ placed }) => placed);
  const firstName = nameOf(files[0]?.path ?? '');
  const { kind = 'dicom', home = '' } = members[0] ?? {};
  const folder = isZip(home) ? '' : home.replace(/\/$/, '');
  return { kind, name: folder || firstName, more: folder === '' ? files.length - 1 : 0, files, leftOut };
};

const isAlone = ({ kind, files }: ImportGroup) =>
  kind === 'dicomdir' && files.length === 1 && isDirectoryFile(files[0]?.path ?? '');

/**
 * Groups dropped or chosen files into imports: each DICOMDIR folder, each zip, the pictures of each folder, and the
 * rest of each top folder; files without a folder are grouped by kind. In folders, programs, texts and operating system
 * files are skipped by name; a file that was chosen directly is always uploaded, and the server reports what is wrong.
 */
export const groupsOf = ({ files, unreadable, emptyFolders }: FilesRead): Grouped => {
  const rootOf = createRootOf(files);
  const groupRootOf = (path: string) => rootOf(path) ?? topFolder(path);
  const accepted: Sorted[] = [];
  const skipped: (SkippedFile & { readonly root: string })[] = unreadable.map((path) => ({
    path,
    why: 'unreadable',
    root: groupRootOf(path),
  }));
  for (const placed of files) {
    const { path } = placed;
    const isLoose = folderOf(path) === '';
    if (isLitter(path) || (!isLoose && isNonImage(path)))
      skipped.push({ path, why: 'no-image', root: groupRootOf(path) });
    else accepted.push(sortOf(placed, rootOf(path)));
  }
  const homes = [...byKey(accepted, ({ kind, home }) => `${kind}/${home}`).values()];
  const roots = homes.map((members) => members[0]?.root ?? '');

  // Skipped files of a folder are listed in the first import from that folder or a subfolder.
  const reporters = new Map<number, SkippedFile[]>();
  const nothingIn: EmptyFolder[] = [];
  for (const [root, items] of byKey(skipped, (item) => item.root)) {
    const leftOut = items.map(({ path, why }) => ({ path, why }));
    const exact = roots.indexOf(root);
    const reporter = exact >= 0 ? exact : roots.findIndex((other) => root !== '' && other.startsWith(`${root}/`));
    if (reporter >= 0) reporters.set(reporter, [...(reporters.get(reporter) ?? []), ...leftOut]);
    else nothingIn.push({ name: root, leftOut });
  }
  const made = homes.map((members, index) => groupOf(members, reporters.get(index) ?? []));
  return {
    groups: made.filter((group) => !isAlone(group)),
    nothingIn: [
      ...nothingIn,
      ...made
        .filter((group) => isAlone(group) && group.leftOut.length > 0)
        .map(({ name, leftOut }) => ({ name, leftOut })),
      ...emptyFolders.map((name) => ({ name, leftOut: [] })),
    ],
    lonely: made.filter(isAlone).flatMap((group) => group.files),
  };
};

/** Maximum length of a task name; long paths are cut at the start. */
const maxNameLength = 255;

/** Returns what is imported for a group, named after it. */
export const importOf = ({ kind, name, more, files, leftOut }: ImportGroup): FilesToImport => ({
  kind,
  name: (more > 0 ? `${name} +${more}` : name).slice(-maxNameLength),
  files,
  leftOut,
});

/** Matches files added to an incomplete import by path. Names that are not images are skipped. */
export const filesToAdd = (read: FilesRead): readonly PlacedFile[] => {
  const { groups, lonely } = groupsOf(read);
  return [...groups.flatMap(({ files }) => files), ...lonely];
};
