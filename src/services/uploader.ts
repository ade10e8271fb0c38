import type { ImportKind } from '../../contract/imports.ts';
import type { ImportLimits } from '../../contract/uploads.ts';
import { type Failure, failureOf } from './failure.ts';
import { browserNetwork, type Network, retryUntilAnswered } from './retry.ts';
import type { FileToSend, UploadFiles } from './uploads.ts';

export interface UploaderDependencies {
  readonly limits: () => Promise<ImportLimits>;
  readonly toArchive: (kind: ImportKind, limits: ImportLimits) => UploadFiles;
  readonly toObjectStore: UploadFiles;
  readonly network?: Network;
  readonly delaysMs?: readonly number[];
}

const tooLarge: Failure = { kind: 'refused', status: 413, code: 'too-large', errors: [] };

/** Returns uploads whose code is loaded first. A load error is reported as offline, which the caller retries. */
export const lazyUploader =
  (load: () => Promise<UploadFiles>): UploadFiles =>
  (taskId, files, listener) => {
    let isStopped = false;
    let stop = () => {
      isStopped = true;
    };
    load().then(
      (send) => {
        if (!isStopped) stop = send(taskId, files, listener);
      },
      () => {
        if (!isStopped) listener.onBroken({ kind: 'offline' });
      },
    );
    return () => stop();
  };

/**
 * Creates uploads to the archive or its object store, as configured. Files that are too large or lost are reported before the upload
 * starts.
 */
export const createUploader =
  (deps: UploaderDependencies) =>
  (kind: ImportKind): UploadFiles =>
  (taskId, files, listener) => {
    const { limits, toArchive, toObjectStore } = deps;
    const { network = browserNetwork, delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000] } = deps;
    const controller = new AbortController();
    let stop = () => controller.abort();
    const { signal } = controller;
    const retryOptions = {
      signal,
      network,
      delaysMs,
      onNoAnswer: listener.onWaiting,
      onAnswer: () => listener.onWaiting(null),
    };
    retryUntilAnswered(limits, retryOptions).then(
      (upload) => {
        if (signal.aborted) return;
        const sendable: FileToSend[] = [];
        for (const one of files) {
          if (!one.file) listener.onLost(one.key);
          else if (one.file.size > upload.fileBytes) listener.onRefused(one.key, tooLarge);
          else sendable.push(one);
        }
        stop = (upload.aws ? toObjectStore : toArchive(kind, upload))(taskId, sendable, listener);
      },
      (error: unknown) => {
        if (!signal.aborted) listener.onBroken(failureOf(error));
      },
    );
    return () => stop();
  };
