import type { ImportKind } from '../../contract/imports.ts';
import type { ImportLimits } from '../../contract/uploads.ts';
import { type Failure, failureOf } from './failure.ts';
import { browserLine, type Line, patiently } from './patience.ts';
import type { FileToSend, UploadFiles } from './uploads.ts';

export interface UploadWayDependencies {
  readonly limits: () => Promise<ImportLimits>;
  readonly toArchive: (kind: ImportKind, limits: ImportLimits) => UploadFiles;
  readonly toObjectStore: UploadFiles;
  readonly line?: Line;
  readonly pausesMs?: readonly number[];
}

const tooLarge: Failure = { kind: 'refused', status: 413, code: 'too-large', errors: [] };

/** Sends by code that is fetched first. When it cannot be fetched, that is a lost line: it is tried again by whoever waits for one. */
export const whenLoaded =
  (load: () => Promise<UploadFiles>): UploadFiles =>
  (taskId, files, news) => {
    let hasLeft = false;
    let stop = () => {
      hasLeft = true;
    };
    load().then(
      (send) => {
        if (!hasLeft) stop = send(taskId, files, news);
      },
      () => {
        if (!hasLeft) news.onBroken({ kind: 'offline' });
      },
    );
    return () => stop();
  };

/**
 * Sends files the way that the installation wants, to the archive or to its object store, once it is known what it takes: a file that is too
 * large, or that the browser no longer has, is told of by name before a byte goes.
 */
export const createUploadWay =
  (deps: UploadWayDependencies) =>
  (kind: ImportKind): UploadFiles =>
  (taskId, files, news) => {
    const { limits, toArchive, toObjectStore } = deps;
    const { line = browserLine, pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000] } = deps;
    const controller = new AbortController();
    let stop = () => controller.abort();
    const { signal } = controller;
    const patience = {
      ...{ signal, line, pausesMs },
      onNoAnswer: () => news.onWaiting(true),
      onAnswer: () => news.onWaiting(false),
    };
    patiently(limits, patience).then(
      (given) => {
        if (signal.aborted) return;
        const sendable: FileToSend[] = [];
        for (const one of files) {
          if (!one.file) news.onLost(one.key);
          else if (one.file.size > given.fileBytes) news.onRefused(one.key, tooLarge);
          else sendable.push(one);
        }
        stop = (given.aws ? toObjectStore : toArchive(kind, given))(taskId, sendable, news);
      },
      (error: unknown) => {
        if (!signal.aborted) news.onBroken(failureOf(error));
      },
    );
    return () => stop();
  };
