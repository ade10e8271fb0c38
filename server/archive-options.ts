import type { Kysely } from 'kysely';
import type { ImportLimits } from '../contract/uploads.ts';
import type { ArchiveFolder } from './archive-folder/open-folder.ts';
import type { Schema } from './db/schema.ts';
import type { Vault } from './db/vault.ts';
import type { Hub } from './hub/hub.ts';
import type { ImportRetention } from './imports/import-settings.ts';
import type { defaultReceivingTimes } from './imports/ledger/receiving-job.ts';
import type { OnSettled } from './imports/on-settled.ts';
import type { Swept } from './imports/sweep.ts';
import type { FileCheckSettings } from './integrity/check-settings.ts';
import type { RunOwned } from './jobs/job-owner.ts';
import type { DicomWebSettings } from './resource/dicomweb/dicomweb-settings.ts';
import type { FindStudies } from './resource/study-finder.ts';
import type { Space } from './storage/disk-space.ts';
import type { ObjectStoreConfig } from './storage/object-store-config.ts';

export interface ArchiveOptions {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly hub: Hub;
  /** The images; opened before anything is written to the database. */
  readonly filesFolder: ArchiveFolder;
  /** Data folder of this installation: `thumbnails` and `renditions` are derived and can be rebuilt. */
  readonly dataFolder: string;
  /** Logs an error; the error texts contain no patient data. */
  readonly onFailure: (error: unknown, about: string) => void;
  /** How long an import stays leased to a node that stopped responding. */
  readonly leaseSeconds?: number;
  /** Time limit for decoding one file; after that the file is rejected. */
  readonly decodeTimeLimitMs?: number;
  /** Limits of imports. Each file is decoded in memory. */
  readonly limits?: ImportLimits;
  /** Retention of temporary import files. */
  readonly importRetention?: ImportRetention;
  /** Bytes of the disk that imports leave free; null: `defaultReserve`. */
  readonly reservedBytes?: number | null;
  /** Reads the space of the files folder's disk. */
  readonly readFolderSpace?: (folder: string) => Promise<Space>;
  /** Object store that browsers upload to, if configured. */
  readonly objectStore?: ObjectStoreConfig | null;
  /** Disk limit of the rendition cache; the least recently used files are evicted. */
  readonly renditionBytes?: number;
  /** Days after which automatic backups are removed; null or omitted: there are none. */
  readonly backupKeepDays?: number | null;
  /** Settings of the background integrity check of stored files. */
  readonly fileCheck?: FileCheckSettings;
  /** Address and permitted origins of DICOMweb; by default of this machine, and none. */
  readonly dicomWeb?: DicomWebSettings;
  /** Searches at DICOM devices; by default none is reached. */
  readonly findStudies?: FindStudies | undefined;
  /** False: work on images is left to other nodes. */
  readonly works?: boolean;
  /** Wakes other nodes for imports, when this one leaves them the work. */
  readonly wakeOthers?: () => void;
  /** Runs the jobs of which one node is enough; by default this one. */
  readonly runOwned?: RunOwned;
  readonly onFilesReceived?: (files: number) => void;
  readonly onFilesSettled?: OnSettled;
  /** Called after each sweep, for the log. */
  readonly onSwept?: (swept: Swept) => void;
  /** Interval between comparisons of the files folder with the database. */
  readonly folderWatchMs?: number;
  /** Waits of imports that receive objects from programs and devices. */
  readonly receivingTimes?: typeof defaultReceivingTimes;
  /** How long an import step waits for files missing from the store. */
  readonly missingGraceMs?: number;
}
