import type { ImportKind } from '../../../contract/imports.ts';
import type { FilesRead, PlacedFile } from '../parts/dropped-files.ts';
import { folderOf, isDirectoryFile, isLitter, isNonImage, isPicture, isZip, nameOf, topFolder } from './file-names.ts';

/** A file that is not sent, and why: it is no image by its name, or the browser could not open it. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'no-image' | 'unreadable';
}

/** One import in the making: what was chosen as one thing. */
export interface ImportGroup {
  readonly kind: ImportKind;
  /** The folder, the zip, or the first file. */
  readonly name: string;
  /** How many files there are beside the one that gives the name; 0 for folders and zips. */
  readonly more: number;
  /** Paths are relative to the folder with the DICOMDIR; of others, to what was dropped. */
  readonly files: readonly PlacedFile[];
  /** What lay in its folders and is not sent: programs, texts, the system's own files. */
  readonly leftOut: readonly LeftOut[];
}

/** What gave no import: a folder with nothing to send in it; '' for loose files. */
export interface NothingIn {
  readonly name: string;
  readonly leftOut: readonly LeftOut[];
}

export interface Grouped {
  readonly groups: readonly ImportGroup[];
  readonly nothingIn: readonly NothingIn[];
  /** DICOMDIRs that came without anything that they could list. */
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

/** The folder and all folders above it, the innermost first; '' is what was dropped itself. */
const upwards = (folder: string): readonly string[] => {
  const names = folder === '' ? [] : folder.split('/');
  return [...names.map((_, index) => names.slice(0, names.length - index).join('/')), ''];
};

/** The outermost folder around a file that directly holds a DICOMDIR; null when there is none. */
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
  /** What it belongs to, among those of its kind. */
  readonly home: string;
  /** The folder that it came in: of the disc, or the top one; '' for a loose file. */
  readonly place: string;
}

/** Pictures say nothing of whom they show: those of two folders never become one import. DICOM files do, so a whole folder is one. */
const sortOf = (placed: PlacedFile, root: string | null): Sorted => {
  const { path } = placed;
  const [folder, place] = [folderOf(path), topFolder(path)];
  if (isZip(path)) return { placed, kind: 'dicomdir', home: path, place };
  if (isPicture(path) && (root === null || folder === '')) return { placed, kind: 'static', home: folder, place };
  return root === null
    ? { placed, kind: 'dicom', home: place, place }
    : { placed: within(root, placed), kind: 'dicomdir', home: `${root}/`, place: root };
};

const groupOf = (members: readonly Sorted[], leftOut: readonly LeftOut[]): ImportGroup => {
  const files = members.map(({ placed }) => placed);
  const firstName = nameOf(files[0]?.path ?? '');
  const { kind = 'dicom', home = '' } = members[0] ?? {};
  const folder = isZip(home) ? '' : home.replace(/\/$/, '');
  return { kind, name: folder || firstName, more: folder === '' ? files.length - 1 : 0, files, leftOut };
};

const isAlone = ({ kind, files }: ImportGroup) =>
  kind === 'dicomdir' && files.length === 1 && isDirectoryFile(files[0]?.path ?? '');

/**
 * What a person dropped or chose, as imports: each folder with a DICOMDIR (with all below it), each zip, the pictures of each folder, and the
 * rest of each top folder; loose files of a kind together. Inside folders programs, texts and the system's own files are left out, by name;
 * a loose file that somebody chose is sent, whatever it is: the archive says what is wrong with it.
 */
export const groupsOf = ({ files, unreadable, emptyFolders }: FilesRead): Grouped => {
  const rootOf = createRootOf(files);
  const placeOf = (path: string) => rootOf(path) ?? topFolder(path);
  const wanted: Sorted[] = [];
  const left: (LeftOut & { readonly place: string })[] = unreadable.map((path) => ({
    path,
    why: 'unreadable',
    place: placeOf(path),
  }));
  for (const placed of files) {
    const { path } = placed;
    const isLoose = folderOf(path) === '';
    if (isLitter(path) || (!isLoose && isNonImage(path))) left.push({ path, why: 'no-image', place: placeOf(path) });
    else wanted.push(sortOf(placed, rootOf(path)));
  }
  const homes = [...byKey(wanted, ({ kind, home }) => `${kind}/${home}`).values()];
  const places = homes.map((members) => members[0]?.place ?? '');

  // What was left out of a folder is told by the first import that came of that folder, or of one in it.
  const tellers = new Map<number, LeftOut[]>();
  const nothingIn: NothingIn[] = [];
  for (const [place, items] of byKey(left, (item) => item.place)) {
    const leftOut = items.map(({ path, why }) => ({ path, why }));
    const exact = places.indexOf(place);
    const teller = exact >= 0 ? exact : places.findIndex((other) => place !== '' && other.startsWith(`${place}/`));
    if (teller >= 0) tellers.set(teller, [...(tellers.get(teller) ?? []), ...leftOut]);
    else nothingIn.push({ name: place, leftOut });
  }
  const made = homes.map((members, index) => groupOf(members, tellers.get(index) ?? []));
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

/** Files given to an import that lacks some: where they lay tells which they are. What is no image by its name is not asked for. */
export const filesToAdd = (read: FilesRead): readonly PlacedFile[] => {
  const { groups, lonely } = groupsOf(read);
  return [...groups.flatMap(({ files }) => files), ...lonely];
};
