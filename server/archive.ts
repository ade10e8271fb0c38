import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AccessLog, createAccessLog } from './access-log/access-log.ts';
import { type FolderWatch, watchFolder } from './archive-folder/watch-folder.ts';
import type { ArchiveOptions } from './archive-options.ts';
import { createListCursors } from './db/list-cursors.ts';
import { requeueStored } from './db/stores/derive-retries.ts';
import { linkKey } from './db/stores/link-key.ts';
import { ensureSecret, randomKey } from './db/stores/secret-store.ts';
import { createImaging, type Imaging } from './dicom/imaging.ts';
import { signInAttempts } from './identity/attempts.ts';
import { hashPassword, verifyPassword } from './identity/password.ts';
import { openAwsUploads } from './imports/aws/aws-uploads.ts';
import { defaultRetention } from './imports/import-settings.ts';
import { createFileThumbnails } from './imports/ledger/file-thumbnails.ts';
import { createImportEvents } from './imports/ledger/import-events.ts';
import { startImportRunner } from './imports/ledger/import-runner.ts';
import { createReader } from './imports/ledger/reader.ts';
import { remakePictureObject } from './imports/ledger/remake-picture.ts';
import { defaultLimits } from './imports/limits.ts';
import { patientsNamedIn } from './imports/read/patients-named-in.ts';
import { createObjectReceiver } from './imports/receive-object.ts';
import { importRoutes } from './imports/routes.ts';
import { startSweeping } from './imports/sweep.ts';
import { defaultFileCheck } from './integrity/check-settings.ts';
import { damagedImagesRoutes } from './integrity/damaged-images-routes.ts';
import { type FileCheck, startFileCheck } from './integrity/file-check.ts';
import { createFileErrors } from './integrity/file-errors.ts';
import { runAtOnce } from './jobs/job-owner.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import { startDeriveRetries } from './resource/derive-retries.ts';
import { startDestruction } from './resource/destruction/destruction-job.ts';
import { startAttributeReader } from './resource/dicomweb/attribute-reader.ts';
import { startDoseReader } from './resource/dose-reader.ts';
import { startTidyingCopies } from './resource/local-copies.ts';
import { createRecordEvents } from './resource/record-events.ts';
import { startRenditionRunner } from './resource/rendition-runner.ts';
import { createRenditions } from './resource/renditions.ts';
import { resourceRoutes } from './resource/routes.ts';
import { openSharedCache } from './resource/shared-cache.ts';
import { createStoredImaging } from './resource/stored-imaging.ts';
import { createThumbLinks } from './resource/thumb-links.ts';
import { startThumbnailRunner } from './resource/thumbnail-runner.ts';
import { createThumbnails } from './resource/thumbnails.ts';
import type { Binding } from './route-binding.ts';
import { createDiskSpace, type DiskSpace } from './storage/disk-space.ts';
import type { FileStore } from './storage/file-store.ts';
import { homeOf } from './storage/home-of.ts';

export interface Archive {
  readonly files: FileStore;
  readonly folder: FolderWatch;
  readonly diskSpace: DiskSpace;
  readonly imaging: Imaging;
  readonly accessLog: AccessLog;
  readonly thumbnails: JobRunner;
  readonly doses: Pick<JobRunner, 'idle' | 'wake'>;
  /** Reads what searches by DICOMweb return. */
  readonly attributes: Pick<JobRunner, 'idle' | 'wake'>;
  readonly renditions: Pick<JobRunner, 'idle'>;
  readonly fileCheck: Pick<FileCheck, 'round'>;
  readonly wakeImports: () => void;
  /** Returns whether this node works on images now. */
  readonly mayWork: () => boolean;
  /** Registers the routes of patients, studies, viewsets, images and imports. */
  routes(server: FastifyInstance, binding: Binding): void;
  /** Stops after the current file; imports resume at the next start. */
  close(): Promise<void>;
}

/** Opens the image archive: storage, background jobs for imports, thumbnails and renditions, and their routes. Resumes unfinished imports. */
export const openArchive = async (options: ArchiveOptions): Promise<Archive> => {
  const { db, vault, hub, dataFolder, onFailure, leaseSeconds, decodeTimeLimitMs } = options;
  const { renditionBytes = 20 * 2 ** 30, objectStore = null, onFilesSettled: onSettled } = options;
  const { works = true, wakeOthers = () => undefined, runOwned = runAtOnce } = options;
  const limits = { ...(options.limits ?? defaultLimits), aws: objectStore !== null };
  let closing = false;
  // Read first, so that nothing has started yet if the database is unavailable.
  const key = await linkKey(db, vault);
  const cursorKey = await ensureSecret(db, vault, 'list-places', randomKey);
  const { root } = options.filesFolder;
  const home = homeOf(root);
  const runners: { wake(): void }[] = [];
  const folder = watchFolder({
    db,
    root,
    onFailure: (error) => onFailure(error, 'files folder'),
    onAvailable: () => {
      for (const runner of runners) runner.wake();
    },
    onStored: async (hashes) => void (await requeueStored(db, hashes)),
    ...(options.folderWatchMs === undefined ? {} : { everyMs: options.folderWatchMs }),
  });
  /** For work on images: to a node that leaves it to others, the folder is never there. */
  const workFolder = works ? folder : { ...folder, isAvailable: () => false };
  const retention = options.importRetention ?? defaultRetention;
  const renditionCache = openSharedCache(home, dataFolder, 'renditions', renditionBytes);
  const thumbnailCache = openSharedCache(home, dataFolder, 'thumbnails');
  const onFileError = (error: unknown) => onFailure(error, 'stored file');
  const removeDerived = async (sha256: string) => {
    await renditionCache.remove(`${sha256}-`);
    await thumbnailCache.remove(`${sha256}-`);
  };
  const fileErrors = createFileErrors({
    db,
    hub,
    isRightFolder: folder.check,
    removeDerived,
    onCleared: () => thumbnailRunner.wake(),
    onFailure: onFileError,
  });
  const diskSpace = createDiskSpace({
    folder: home.localFolder,
    reservedBytes: options.reservedBytes ?? null,
    ...(options.readFolderSpace && { readFolder: options.readFolderSpace }),
  });
  const inFolder = {
    ensureSpace: () => diskSpace.ensure(0),
    isAway: () => !folder.isAvailable(),
    onStored: async (hashes: readonly string[]) => {
      folder.stored(hashes);
      await fileErrors.clear(hashes);
    },
  };
  const files = await home.openStore(inFolder);
  const drafts = await home.openDrafts(inFolder);
  const sweeping = runOwned(() =>
    startSweeping(
      { db, root, drafts, retention },
      { onFailure: (error) => onFailure(error, 'sweep'), onSwept: options.onSwept ?? (() => undefined) },
    ),
  );
  const aws = await openAwsUploads({
    config: objectStore,
    db,
    files,
    limits,
    onFetched: () => options.onFilesReceived?.(1),
    onFailure: (error) => onFailure(error, 'object store'),
  });
  const imaging = createImaging({
    maxFileBytes: limits.fileBytes,
    crashMarksFolder: path.join(dataFolder, 'in-hand'),
    ...(decodeTimeLimitMs === undefined ? {} : { timeLimitMs: decodeTimeLimitMs }),
  });
  const thumbLinks = createThumbLinks(db, key);
  const storedImaging = createStoredImaging(files, imaging, fileErrors);
  const renditions = createRenditions({
    imaging: storedImaging,
    cache: renditionCache,
    onFailure: (error) => {
      if (!closing) onFailure(error, 'rendition');
    },
  });
  const thumbnails = createThumbnails({ imaging: storedImaging, cache: thumbnailCache });
  const fileThumbnails = createFileThumbnails({ db, thumbnails, key });
  const accessLog = createAccessLog(db);
  const recordEvents = createRecordEvents(hub, (error) => onFailure(error, 'record events'));

  const renditionRunner = startRenditionRunner({
    db,
    renditions,
    folder: workFolder,
    isClosing: () => closing,
    onFailure: (error) => onFailure(error, 'rendition'),
  });
  const thumbnailRunner = startThumbnailRunner({
    db,
    hub,
    thumbnails,
    folder: workFolder,
    isClosing: () => closing,
    onFailure: (error) => onFailure(error, 'thumbnail'),
    onDrained: renditionRunner.wake,
  });
  const headers = { db, files, fileErrors, folder: workFolder, isClosing: () => closing };
  const doseReader = startDoseReader({ ...headers, onFailure: (error) => onFailure(error, 'dose') });
  const attributeReader = startAttributeReader({ ...headers, onFailure: (error) => onFailure(error, 'attributes') });
  const reading = {
    files,
    imaging,
    onFailure: (error: unknown) => onFailure(error, 'decoder'),
    isClosing: () => closing,
    missingGraceMs: options.missingGraceMs ?? 120_000,
  };
  const onImportFailure = (error: unknown) => onFailure(error, 'import');
  const { isAvailable } = workFolder;
  const reader = createReader({ db, reading, isAvailable, onSettled, parallelFiles: 2 }, onImportFailure);
  const onReceived = (taskId: string, received: number) => {
    reader.ahead(taskId);
    options.onFilesReceived?.(received);
  };
  const importRunner = startImportRunner({
    db,
    files,
    reading,
    reader,
    limits,
    records: recordEvents,
    fetchFromObjectStore: aws.fetchFromObjectStore,
    events: createImportEvents(db, hub, (error) => onFailure(error, 'import events')),
    isAvailable,
    onImported: () => {
      thumbnailRunner.wake();
      doseReader.wake();
      attributeReader.wake();
    },
    onSettled,
    onFailure: onImportFailure,
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    receivingTimes: options.receivingTimes,
  });

  const fileCheck = startFileCheck({
    db,
    files,
    fileErrors,
    isFolderAvailable: isAvailable,
    settings: options.fileCheck ?? defaultFileCheck,
    repair: (sha256) => remakePictureObject({ db, files, imaging }, sha256),
    onFailure: onFileError,
  });

  const wakeImports = works ? importRunner.wake : wakeOthers;
  runners.push(importRunner, thumbnailRunner, doseReader, attributeReader);
  const destruction = runOwned(() =>
    startDestruction({ db, root, drafts, removeDerived, retention, events: recordEvents }, (error) =>
      onFailure(error, 'destruction'),
    ),
  );
  const copies = startTidyingCopies(
    { db, home, caches: [renditionCache, thumbnailCache], keepMs: retention.keepMs },
    (error) => onFailure(error, 'local copies'),
  );
  const retries = startDeriveRetries(db, thumbnailRunner.wake, (error) => onFailure(error, 'thumbnail retries'));

  return {
    files,
    folder,
    diskSpace,
    imaging,
    accessLog,
    thumbnails: thumbnailRunner,
    doses: doseReader,
    attributes: attributeReader,
    wakeImports,
    mayWork: isAvailable,
    fileCheck,
    renditions: { idle: () => renditionRunner.idle().then(() => renditions.idle()) },
    routes: (server, binding) => {
      resourceRoutes(server, {
        db,
        binding,
        files,
        fileErrors,
        accessLog,
        events: recordEvents,
        thumbLinks,
        thumbnails,
        renditions,
        storedImaging,
        linkCodes: { hash: hashPassword, verify: (code, hash) => verifyPassword(code, hash) },
        beginFromAddress: signInAttempts(db).beginFromAddress,
        places: createListCursors(cursorKey),
        patientsNamedIn: patientsNamedIn(files, imaging),
        limits,
        receiver: createObjectReceiver({ db, filesPerImport: limits.filesPerImport, onReceived }),
        findStudies: options.findStudies,
        backupKeepDays: options.backupKeepDays ?? null,
        dicomWeb: options.dicomWeb ?? { publicUrl: 'http://localhost:8080', origins: [] },
      });
      damagedImagesRoutes(server, db, binding);
      importRoutes(server, {
        db,
        binding,
        files,
        drafts,
        objectStore: aws.store,
        accessLog,
        limits,
        diskSpace,
        fileThumbnails,
        wake: wakeImports,
        onReceived,
      });
    },
    close: async () => {
      closing = true;
      await Promise.all([sweeping.close(), fileCheck.close(), retries.close(), destruction.close(), copies.close()]);
      const readers = [importRunner, reader, thumbnailRunner, renditionRunner, doseReader, attributeReader];
      const stopped = Promise.all(readers.map((one) => one.close()));
      // Queued decodes fail now without changing state, and are retried at the next start.
      await imaging.close();
      await Promise.all([stopped, renditions.idle()]);
      await aws.close();
      await folder.close();
    },
  };
};
