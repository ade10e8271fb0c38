import type { FileProblem } from '../../../contract/imports.ts';

/** A file of an import, by where it lies. */
export interface FileOnDisc {
  readonly id: string;
  /** Folders and name, parted by `/`, within what was chosen or within the zip that it came in. */
  readonly path: string;
  /** The row of that zip. */
  readonly containerId: string | null;
}

/** A DICOMDIR and the files that it names. */
export interface FoundDirectory extends FileOnDisc {
  /** Parted by `/`, from the folder of the DICOMDIR. */
  readonly paths: readonly string[];
}

/** What a file is called wherever a disc may have been copied: ISO 9660 has upper case and versions (`IM1.;1`), others neither. */
const nameOnDisc = (path: string): string =>
  path
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(/;\d+$/, '').replace(/\.$/, ''))
    .join('/');

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const placeOf = (containerId: string | null, path: string): string => `${containerId ?? ''}:${nameOnDisc(path)}`;

const namedPlaces = ({ containerId, path, paths }: FoundDirectory): readonly (readonly [string, string])[] =>
  paths.map((named) => [placeOf(containerId, folderOf(path) + named), folderOf(path) + named]);

/**
 * The files that a DICOMDIR names and that are not there: paths as those of the rows, each once. They are sought beside the DICOMDIR, wherever it
 * lies in the tree, whatever the case of their names.
 */
export const missingFiles = (directory: FoundDirectory, files: readonly FileOnDisc[]): readonly string[] => {
  const there = new Set(files.map(({ containerId, path }) => placeOf(containerId, path)));
  const missing = new Map(namedPlaces(directory).filter(([place]) => !there.has(place)));
  return [...missing.values()];
};

const noImage = new Set<FileProblem>(['not-dicom', 'empty']);

/**
 * Which of the refused files are no images but what a disc holds beside them (a viewer, a text, an autostart): they lie in the same folder tree or
 * zip as a DICOMDIR, or in a zip within, no DICOMDIR names them, and they are no DICOM files.
 */
export const besideImages = (
  refused: readonly (FileOnDisc & { readonly problem: FileProblem })[],
  directories: readonly FoundDirectory[],
  files: readonly FileOnDisc[],
): ReadonlySet<string> => {
  const named = new Set(directories.flatMap(namedPlaces).map(([place]) => place));
  const discs = new Set(directories.map(({ containerId }) => containerId));
  const rows = new Map(files.map((file) => [file.id, file]));
  const isOnDisc = (containerId: string | null): boolean =>
    discs.has(containerId) || (containerId !== null && isOnDisc(rows.get(containerId)?.containerId ?? null));
  return new Set(
    refused
      .filter(({ problem }) => noImage.has(problem))
      .filter(({ containerId, path }) => isOnDisc(containerId) && !named.has(placeOf(containerId, path)))
      .map(({ id }) => id),
  );
};
