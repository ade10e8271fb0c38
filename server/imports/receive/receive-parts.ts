import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { ensurePart, findPart, type ImportPartRow, settlePart } from '../../db/stores/import-parts.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { createNewestWinsMutex } from '../../jobs/newest-wins-mutex.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import type { PartDrafts } from '../../storage/part-drafts.ts';
import { insertFiles } from './insert-files.ts';
import { safeFileName } from './safe-path.ts';

export interface PartsReceived {
  readonly receivedBytes: number;
  readonly file: { readonly fileId: string; readonly sizeBytes: number; readonly sha256: string } | null;
}

export interface PartReceiving {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly drafts: PartDrafts;
  readonly maxFiles: number;
}

interface IncomingPart {
  readonly offset: number;
  readonly source: AsyncIterable<Uint8Array>;
  /** Ends `source` when the sender reconnected. */
  readonly cancel: () => void;
}

const whole = (row: ImportPartRow, fileId: string, sha256: string): PartsReceived => ({
  receivedBytes: row.size_bytes,
  file: { fileId, sizeBytes: row.size_bytes, sha256 },
});

/** Rejects another file under the same key, or a different size. */
const sameFile = (row: ImportPartRow | undefined, path: string, sizeBytes: number): ImportPartRow => {
  if (!row || row.path !== path || row.size_bytes !== sizeBytes)
    throw new ProblemError('conflict', [{ fieldKey: 'key' }]);
  return row;
};

/** Creates the receiver of large files in parts. The caller checks authorization. */
export const createPartReceiver = ({ db, files, drafts, maxFiles }: PartReceiving) => {
  const runExclusive = createNewestWinsMutex();
  const nameOf = (row: ImportPartRow) => ({ taskId: row.task_id, key: row.key });

  /** Moves the draft into the store under a hash that was committed before, so that a crash in between loses neither. */
  const store = async (row: ImportPartRow): Promise<string | null> => {
    const name = nameOf(row);
    if ((await drafts.sizeOf(name)) === row.size_bytes) {
      const { sha256 } = await drafts.read(name);
      await settlePart(db, row, { sha256 });
      await drafts.moveIn(name, sha256).catch((error) => {
        // Another node has finished it.
        if (!(error instanceof StorageError && error.code === 'missing')) throw error;
      });
      if ((await files.sizeOf(sha256)) === row.size_bytes) return sha256;
    }
    if (row.sha256 !== null && (await files.sizeOf(row.sha256)) === row.size_bytes) return row.sha256;
    return null;
  };

  const stateOf = async (row: ImportPartRow): Promise<PartsReceived> => {
    const sha256 = await store(row);
    if (sha256 === null) return { receivedBytes: await drafts.sizeOf(nameOf(row)), file: null };
    const fileId = await db.transaction().execute(async (transaction) => {
      const file = { path: row.path, fileName: safeFileName(row.path), sizeBytes: row.size_bytes, sha256 };
      const [entered] = await insertFiles(transaction, row.task_id, [file], maxFiles);
      if (!entered) throw new Error('the row of a whole file is not there');
      await settlePart(transaction, row, { file_id: entered.fileId });
      return entered.fileId;
    });
    return whole(row, fileId, sha256);
  };

  const settled = (row: ImportPartRow | undefined): PartsReceived | null =>
    row?.file_id && row.sha256 ? whole(row, row.file_id, row.sha256) : null;

  return {
    /** Returns the file of a complete upload, at any step of the import; null when incomplete. */
    found: async (taskId: string, key: string): Promise<PartsReceived | null> =>
      settled(await findPart(db, taskId, key)),

    /** @throws ProblemError 'conflict' when the key names another file; 'import-wrong-step', 'too-many-files' */
    begin: (taskId: string, key: string, path: string, sizeBytes: number): Promise<PartsReceived> =>
      runExclusive(`${taskId}/${key}`, async () => {
        await ensurePart(db, { taskId, key, path, sizeBytes });
        const row = sameFile(await findPart(db, taskId, key), path, sizeBytes);
        return settled(row) ?? (await stateOf(row));
      }),

    /**
     * @throws ProblemError 'not-found' for an unknown upload; 'conflict' when `offset` is not the number of received bytes; 'too-large',
     * 'import-wrong-step'
     */
    append: (taskId: string, key: string, { offset, source, cancel }: IncomingPart): Promise<PartsReceived> =>
      runExclusive(
        `${taskId}/${key}`,
        async () => {
          const row = await findPart(db, taskId, key);
          if (!row) throw new ProblemError('not-found');
          const done = settled(row);
          if (done) return done;
          const name = nameOf(row);
          const receivedBytes = await drafts.sizeOf(name);
          if (offset !== receivedBytes)
            throw new ProblemError('conflict', [{ fieldKey: 'offset', vars: { receivedBytes } }]);
          await drafts.append(name, offset, source, row.size_bytes - offset);
          return await stateOf(row);
        },
        cancel,
      ),
  };
};
