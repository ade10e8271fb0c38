import { setTimeout as pause } from 'node:timers/promises';
import { readDraft, writeDraft } from '../batch-files.ts';
import { type FileBatch, type OnStored, StorageError, type StoredFile } from '../file-store.ts';
import { ObjectStoreError } from '../object-store-error.ts';
import type { Bucket } from './bucket.ts';
import type { BucketCache } from './bucket-cache.ts';
import { keyOf, removingPrefix } from './bucket-layout.ts';
import type { BucketPresence } from './bucket-presence.ts';

interface Draft {
  readonly path: string;
  readonly stored: StoredFile;
  uploaded: Promise<void>;
  uploadedAt: number;
}

/** A draft that waited longer than this for its batch is uploaded again, so that the sweep treats it as new. */
const freshMs = 5 * 60_000;
/** A removal takes some requests; one that was interrupted is repeated by its job. */
const removalMs = 30_000;
/** A store carries out no removal so late: the mark was left by an error. */
const staleMarkMs = 60 * 60_000;
const pauseMs = 250;

export interface BucketBatchOptions {
  readonly bucket: Bucket;
  readonly cache: BucketCache;
  readonly presence: BucketPresence;
  readonly onStored: OnStored;
  readonly ensureSpace: () => Promise<void>;
}

/** Opens a batch: each file is written to the local disk and hashed, then uploaded while others arrive. `keep` confirms all of them. */
export const openBucketBatch = (options: BucketBatchOptions): FileBatch => {
  const { bucket, cache, presence, onStored, ensureSpace } = options;
  let drafts: Draft[] = [];

  const upload = (draft: Draft): void => {
    draft.uploadedAt = Date.now();
    draft.uploaded = bucket.upload(keyOf(draft.stored.sha256), draft.path, draft.stored);
    draft.uploaded.catch(() => undefined);
  };

  /** Returns the drafts whose object is not in place: a removal of the same bytes was faster, or is under way. */
  const unconfirmed = async (): Promise<{ readonly again: Draft[]; readonly isRemoving: boolean }> => {
    // Asked after the uploads and before the objects: a removal that begins later finds new objects and leaves them.
    const removing = new Set<string>();
    for await (const marks of bucket.list(removingPrefix))
      for (const { key, changedMs } of marks)
        if (changedMs > Date.now() - staleMarkMs)
          removing.add(key.slice(removingPrefix.length, removingPrefix.length + 64));
    const again: Draft[] = [];
    let isRemoving = false;
    const check = async (draft: Draft) => {
      const { sha256, sizeBytes } = draft.stored;
      if (removing.has(sha256)) {
        isRemoving = true;
        again.push(draft);
        return;
      }
      const found = await bucket.head(keyOf(sha256));
      if (found === null) again.push(draft);
      else if (found.sizeBytes !== sizeBytes)
        throw new ObjectStoreError('away', 'The object store has another length than was sent');
    };
    await Promise.all(drafts.map(check));
    return { again, isRemoving };
  };

  const confirm = async (): Promise<void> => {
    for (const draft of drafts) if (Date.now() - draft.uploadedAt > freshMs) upload(draft);
    const until = Date.now() + removalMs;
    for (;;) {
      await Promise.all(drafts.map((draft) => draft.uploaded));
      await presence.ensureHere();
      const { again, isRemoving } = await unconfirmed();
      if (again.length === 0) return;
      if (Date.now() > until) throw new StorageError('away', 'The same bytes are being removed from the store');
      if (isRemoving) await pause(pauseMs);
      for (const draft of again) upload(draft);
    }
  };

  const discard = async () => {
    const left = drafts;
    drafts = [];
    for (const draft of left) {
      await draft.uploaded.catch(() => undefined);
      await cache.drop(draft.path).catch(() => undefined);
    }
  };

  return {
    add: async (source, limitBytes = Number.POSITIVE_INFINITY, { free = () => undefined } = {}) => {
      const path = cache.newDraft();
      try {
        await cache.trim();
        await ensureSpace();
        const stored = await writeDraft(path, source, limitBytes, free);
        const draft = { path, stored, uploaded: Promise.resolve(), uploadedAt: 0 };
        upload(draft);
        drafts.push(draft);
        return stored;
      } catch (error) {
        await cache.drop(path).catch(() => undefined);
        throw presence.errorOf(error);
      }
    },
    read: (stored) => readDraft(drafts, stored),
    keep: async () => {
      const kept = drafts;
      try {
        await confirm();
      } catch (error) {
        throw presence.errorOf(error);
      }
      drafts = [];
      // The bucket has them: a copy that the local disk cannot take is fetched when it is read.
      for (const { path, stored } of kept)
        await cache.keep(path, stored, false).catch(() => cache.drop(path).catch(() => undefined));
      await onStored(kept.map(({ stored }) => stored.sha256));
    },
    discard,
  };
};
