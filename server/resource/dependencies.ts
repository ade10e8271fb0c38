import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { writtenPatient } from '../../contract/imports.ts';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { ListCursors } from '../db/list-cursors.ts';
import type { Schema } from '../db/schema.ts';
import type { RecordEvents } from '../domain/record-events.ts';
import type { ObjectReceiver } from '../imports/receive-object.ts';
import type { FileErrors } from '../integrity/file-errors.ts';
import type { Binding } from '../route-binding.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { DicomWebSettings } from './dicomweb/dicomweb-settings.ts';
import type { Renditions } from './renditions.ts';
import type { StoredImaging } from './stored-imaging.ts';
import type { FindStudies } from './study-finder.ts';
import type { ThumbLinks } from './thumb-links.ts';
import type { Thumbnails } from './thumbnails.ts';

type WrittenPatient = z.infer<typeof writtenPatient>;

/** Dependencies of the resource routes. */
export interface ResourceDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
  readonly accessLog: AccessLog;
  readonly events: RecordEvents;
  readonly thumbLinks: ThumbLinks;
  readonly thumbnails: Thumbnails;
  readonly renditions: Renditions;
  readonly storedImaging: StoredImaging;
  /** Returns the patients named in the headers of stored DICOM files, each once. */
  readonly patientsNamedIn: (hashes: readonly string[]) => Promise<WrittenPatient[]>;
  /** Slow hashes of the codes of shared links; `verify` compares in constant time, and does the same work without a hash. */
  readonly linkCodes: {
    readonly hash: (code: string) => Promise<string>;
    readonly verify: (code: string, hash: string | undefined) => Promise<boolean>;
  };
  /** Counts an attempt to open a link from this address; null while it is blocked. */
  readonly beginFromAddress: (address: string) => Promise<{ undo(): Promise<void> } | null>;
  readonly dicomWeb: DicomWebSettings;
  /** Searches at DICOM devices; undefined: none is reached. */
  readonly findStudies: FindStudies | undefined;
  /** Days after which automatic backups are removed; null: there are none. */
  readonly backupKeepDays: number | null;
  /** Takes objects that programs send. */
  readonly receiver: ObjectReceiver;
  readonly limits: Pick<ImportLimits, 'fileBytes' | 'filesPerImport'>;
  /** Encrypts the cursors of long lists. */
  readonly places: ListCursors;
}
