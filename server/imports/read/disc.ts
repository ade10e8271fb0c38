import type { FileProblem } from '../../../contract/imports.ts';

/** A file of an import with its location. */
export interface FileOnDisc {
  readonly id: string;
  /** Folders and name separated by `/`, within the chosen folder or within the zip. */
  readonly path: string;
  /** Row id of that zip. */
  readonly containerId: string | null;
}

/** A DICOMDIR and the files that it lists. */
export interface FoundDirectory extends FileOnDisc {
  /** Separated by `/`, relative to the folder of the DICOMDIR. */
  readonly paths: readonly string[];
}

/** Normalizes a file name for comparison: ISO 9660 adds upper case and versions (`IM1.;1`), other media do not. */
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

/** Returns the files that a DICOMDIR lists and that are missing, each path once. They are looked up relative to the DICOMDIR, ignoring case. */
export const missingFiles = (directory: FoundDirectory, files: readonly FileOnDisc[]): readonly string[] => {
  const there = new Set(files.map(({ containerId, path }) => placeOf(containerId, path)));
  const missing = new Map(namedPlaces(directory).filter(([place]) => !there.has(place)));
  return [...missing.values()];
};

const noImage = new Set<FileProblem>(['not-dicom', 'empty']);

/**
 * Returns the refused files that accompany the images of a disc (a viewer, a text, an autostart): in the folder tree or zip of a DICOMDIR, not
 * listed by it, and no DICOM files.
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
