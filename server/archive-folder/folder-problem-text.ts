import { program } from '../program-name.ts';
import type { FolderProblem } from './compare-folder.ts';

const texts: Readonly<Record<FolderProblem, (root: string) => string>> = {
  absent: (root) =>
    `The files folder ${root} does not exist, but the database holds an archive: mount its disk, or name the right data folder with DENTARIUM_DATA`,
  empty: (root) =>
    `The files folder ${root} is empty, but the database holds an archive: mount its disk, or name the right data folder with DENTARIUM_DATA`,
  unmarked: (root) =>
    `The files folder ${root} does not belong to this database (it has no archive-id): name the right data folder with DENTARIUM_DATA, or restore the folder whole`,
  unreadable: (root) => `The files folder ${root} cannot be read: check its disk and its permissions`,
  foreign: (root) =>
    `The files folder ${root} belongs to another database: name the right data folder with DENTARIUM_DATA, or the right database with DATABASE_URL`,
  'new-database': (root) =>
    `The files folder ${root} holds the files of an archive, but the database is new: restore the database of this archive, or name an empty data folder with DENTARIUM_DATA`,
  'folder-older': (root) =>
    `The files folder ${root} is an older copy than the database, so files are missing: restore the newer copy, or accept the loss with "${program} quarantine accept"`,
};

/** Returns one sentence that names the folder, the problem and the remedy. */
export const folderProblemText = (problem: FolderProblem, root: string): string => texts[problem](root);
