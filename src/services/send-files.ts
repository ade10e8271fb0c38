import type { ImportKind } from '../../contract/imports.ts';
import type { Failure, WaitReason } from './failure.ts';
import type { ImportFiles } from './import-files.ts';
import { batchUploadEvents, type FileUploadChange } from './upload-event-batch.ts';
import type { AwsNames, UploadFiles } from './uploads.ts';

export interface SendFilesDependencies {
  readonly uploader: (kind: ImportKind) => UploadFiles;
  readonly importFiles: Pick<ImportFiles, 'filesOf' | 'updateFiles'>;
}

/** The waiting files of an import. `id`: in this browser; `taskId`: in the archive. */
export interface FilesOfImport {
  readonly id: string;
  readonly taskId: string;
  readonly kind: ImportKind;
  readonly files: readonly { readonly key: string; readonly path: string; readonly sizeBytes: number }[];
}

/** Progress of an upload; changes of files are batched. */
export type UploadEvent =
  | {
      readonly type: 'upload.progressed';
      readonly changes: readonly FileUploadChange[];
      readonly bytesPerSecond: number | null;
    }
  | { readonly type: 'upload.waited'; readonly reason: WaitReason }
  | { readonly type: 'upload.continued' }
  | { readonly type: 'upload.finished'; readonly aws: AwsNames | null }
  | { readonly type: 'upload.broken'; readonly failure: Failure };

/** Creates the upload of waiting files: it stores how each file ended, and reports. The returned function stops it; no events follow. */
export const createSendFiles =
  ({ uploader, importFiles }: SendFilesDependencies) =>
  ({ id, taskId, kind, files }: FilesOfImport, report: (event: UploadEvent) => void): (() => void) => {
    const { listener, stop } = batchUploadEvents(
      {
        onChanges: (changes, bytesPerSecond) => {
          const settled = changes.flatMap(({ key, status, failure = null }) =>
            status ? [{ key, status, failure }] : [],
          );
          if (settled.length > 0) importFiles.updateFiles(id, settled);
          report({ type: 'upload.progressed', changes, bytesPerSecond });
        },
        onWaiting: (reason) => report(reason ? { type: 'upload.waited', reason } : { type: 'upload.continued' }),
        onFinished: (aws) => report({ type: 'upload.finished', aws }),
        onBroken: (failure) => report({ type: 'upload.broken', failure }),
      },
      { sizes: new Map(files.map(({ key, sizeBytes }) => [key, sizeBytes])) },
    );
    let isStopped = false;
    let stopSending = () => {};
    const keys = files.map(({ key }) => key);
    void importFiles.filesOf(id, keys).then((found) => {
      if (isStopped) return;
      const toSend = files.map(({ key, path }) => ({ key, path, file: found.get(key) ?? null }));
      stopSending = uploader(kind)(taskId, toSend, listener);
    });
    return () => {
      isStopped = true;
      stopSending();
      stop();
    };
  };
