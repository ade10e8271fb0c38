import type { Kysely } from 'kysely';
import type { AccessLog } from '../../access-log/access-log.ts';
import type { Schema } from '../../db/schema.ts';
import type { FetchStudyRow } from '../../db/stores/dicom-fetch-work.ts';
import type { DicomFetchRow } from '../../db/stores/dicom-fetches.ts';
import type { Association } from '../../dimse/association/association.ts';
import type { ProposedContext, RoleSelection } from '../../dimse/pdu/associate.ts';
import type { FileStore } from '../../storage/file-store.ts';

/** A study with the import that takes it. */
export type ListedStudy = FetchStudyRow & { readonly task_id: string };

export interface StudyFetch {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly accessLog: AccessLog;
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  readonly fetch: DicomFetchRow;
  readonly owner: string;
  readonly deviceName: string;
  readonly open: (contexts: readonly ProposedContext[], roles?: readonly RoleSelection[]) => Promise<Association>;
  /** Opens an association for C-MOVE, which `signal` does not abort. */
  readonly openForMoves: () => Promise<Association>;
  /** AE title of the gateway. */
  readonly aeTitle: string;
  /** Attempts since an image was last fetched. */
  readonly failedTries: () => Promise<number>;
  /** After as many the fetch fails. */
  readonly mostTries: number;
  readonly onError: (error: unknown) => void;
  /** Stops at once when it is aborted. */
  readonly signal: AbortSignal;
}
