import { program } from '../program-name.ts';
import type { FilesProblem, FilesRoot } from '../storage/files-home.ts';
import { nameOf } from '../storage/home-of.ts';
import type { FolderProblem } from './compare-folder.ts';

/** Problems of a bucket cannot be those of a folder. */
type BucketOnly = Exclude<FilesProblem, 'unreadable'>;

const folderTexts: Readonly<Record<Exclude<FolderProblem, BucketOnly>, (root: string) => string>> = {
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

const gone = (name: string) =>
  `The object store of the bucket ${name} does not answer: check the network, and DENTARIUM_STORE_ENDPOINT`;
const missing = (name: string) =>
  `The bucket ${name} does not exist: create it, or name the right one with DENTARIUM_STORE_BUCKET`;

const bucketTexts: Readonly<Record<FolderProblem, (name: string) => string>> = {
  'store-gone': gone,
  unreadable: gone,
  'store-slow': (name) =>
    `The object store of the bucket ${name} does not answer in time: check its load and the network`,
  'store-denied': (name) =>
    `The object store refuses access to the bucket ${name}: check DENTARIUM_STORE_ACCESS_KEY_ID, DENTARIUM_STORE_SECRET_ACCESS_KEY, the region and the permissions of the key`,
  'bucket-missing': missing,
  absent: missing,
  empty: (name) =>
    `The bucket ${name} is empty, but the database holds an archive: name the right bucket with DENTARIUM_STORE_BUCKET`,
  unmarked: (name) =>
    `The bucket ${name} does not belong to this database (it has no archive-id): name the right one with DENTARIUM_STORE_BUCKET`,
  foreign: (name) =>
    `The bucket ${name} belongs to another database: name the right bucket with DENTARIUM_STORE_BUCKET, or the right database with DATABASE_URL`,
  'new-database': (name) =>
    `The bucket ${name} holds the files of an archive, but the database is new: restore the database of this archive, or name an empty bucket with DENTARIUM_STORE_BUCKET`,
  'folder-older': (name) =>
    `The bucket ${name} is an older copy than the database, so files are missing: restore the newer copy, or accept the loss with "${program} quarantine accept"`,
};

const isBucketOnly = (problem: FolderProblem): problem is BucketOnly => !(problem in folderTexts);

/** Returns one sentence that names the folder or bucket, the problem and the remedy. */
export const folderProblemText = (problem: FolderProblem, root: FilesRoot): string =>
  typeof root === 'string' && !isBucketOnly(problem) ? folderTexts[problem](root) : bucketTexts[problem](nameOf(root));
