import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { ImportLimits } from '../contract/uploads.ts';
import { type AccessLog, createAccessLog } from './access-log/access-log.ts';
import { listPlaces } from './db/list-places.ts';
import type { Schema } from './db/schema.ts';
import { linkKey } from './db/stores/link-key.ts';
import { ensureSecret, randomKey } from './db/stores/secret-store.ts';
import { createImaging, type Imaging } from './dicom/imaging.ts';
import type { Hub } from './hub/hub.ts';
import { openAwsUploads } from './imports/aws/aws-uploads.ts';
import { defaultKeeping, type ImportKeeping } from './imports/import-settings.ts';
import { createFileThumbnails } from './imports/ledger/file-thumbnails.ts';
import { createImportNews } from './imports/ledger/import-news.ts';
import { startImportRunner } from './imports/ledger/import-runner.ts';
import { createReader } from './imports/ledger/reader.ts';
import { defaultLimits } from './imports/limits.ts';
import { importRoutes } from './imports/routes.ts';
import { startSweeping } from './imports/sweep.ts';
import { openDerivedCache } from './resource/derived-cache.ts';
import type { Lanes } from './resource/lanes.ts';
import { createRecordNews } from './resource/record-news.ts';
import { startRenditionRunner } from './resource/rendition-runner.ts';
import { createRenditions } from './resource/renditions.ts';
import { resourceRoutes } from './resource/routes.ts';
import { createThumbLinks } from './resource/thumb-links.ts';
import { startThumbnailRunner } from './resource/thumbnail-runner.ts';
import { createThumbnails } from './resource/thumbnails.ts';
import type { Binding } from './route-binding.ts';
import { openDiskStore } from './storage/disk-store.ts';
import type { FileStore } from './storage/file-store.ts';
import type { ObjectStoreConfig } from './storage/object-store-config.ts';
import { openPartDrafts } from './storage/part-drafts.ts';

export interface ArchiveOptions {
  readonly db: Kysely<Schema>;
  readonly hub: Hub;
  /** Folder of this installation: `files` holds the images, `thumbnails` and `renditions` what can be made again. */
  readonly dataFolder: string;
  /** For the log. The error texts hold no patient data. */
  readonly onFailure: (error: unknown, about: string) => void;
  /** How long an import stays with a node that does not answer any more. */
  readonly leaseSeconds?: number;
  /** Decoding of one file may take as long; then the file is refused. */
  readonly decodeTimeLimitMs?: number;
  /** What imports take; a file is decoded whole. */
  readonly limits?: ImportLimits;
  /** How long the leftovers of imports stay. */
  readonly keeping?: ImportKeeping;
  /** Where browsers may put files for the archive to fetch. */
  readonly objectStore?: ObjectStoreConfig | null;
  /** What is made for the viewer ahead takes at most this much of the disk; the least recently used gives way. */
  readonly renditionBytes?: number;
}

export interface Archive {
  readonly files: FileStore;
  readonly imaging: Imaging;
  readonly accessLog: AccessLog;
  readonly thumbnails: Lanes;
  /** `idle` resolves when nothing is being made for the viewer. */
  readonly renditions: Pick<Lanes, 'idle'>;
  /** Registers patients, studies, viewsets, images and imports. */
  routes(server: FastifyInstance, binding: Binding): void;
  /** Stops after the file in hand; imports go on at the next start. */
  close(): Promise<void>;
}

/** The image archive: storage, imports and thumbnails at work, and the routes to them. Unfinished imports are taken up here. */
export const openArchive = async (options: ArchiveOptions): Promise<Archive> => {
  const { db, hub, dataFolder, onFailure, leaseSeconds, decodeTimeLimitMs } = options;
  const { renditionBytes = 20 * 2 ** 30, objectStore = null } = options;
  const limits = { ...(options.limits ?? defaultLimits), aws: objectStore !== null };
  let closing = false;
  const root = path.join(dataFolder, 'files');
  const files = await openDiskStore(root);
  const drafts = await openPartDrafts(root);
  const sweeping = startSweeping({ db, root, drafts, keeping: options.keeping ?? defaultKeeping }, (error) =>
    onFailure(error, 'sweep'),
  );
  const aws = await openAwsUploads({
    ...{ config: objectStore, db, files, limits },
    onFailure: (error) => onFailure(error, 'object store'),
  });
  const imaging = createImaging({
    maxFileBytes: limits.fileBytes,
    inHandFolder: path.join(dataFolder, 'in-hand'),
    ...(decodeTimeLimitMs === undefined ? {} : { timeLimitMs: decodeTimeLimitMs }),
  });
  const key = await linkKey(db);
  const thumbLinks = createThumbLinks(key);
  const renditions = createRenditions({
    files,
    imaging,
    cache: openDerivedCache(path.join(dataFolder, 'renditions'), renditionBytes),
    onFailure: (error) => {
      if (!closing) onFailure(error, 'rendition');
    },
  });
  const thumbnails = createThumbnails({
    files,
    imaging,
    cache: openDerivedCache(path.join(dataFolder, 'thumbnails')),
  });
  const fileThumbnails = createFileThumbnails({ db, thumbnails, key });
  const accessLog = createAccessLog(db);
  const places = listPlaces(await ensureSecret(db, 'list-places', randomKey));
  const news = createRecordNews(hub, (error) => onFailure(error, 'record news'));

  const renditionRunner = startRenditionRunner({
    ...{ db, renditions, isClosing: () => closing },
    onFailure: (error) => onFailure(error, 'rendition'),
  });
  const thumbnailRunner = startThumbnailRunner({
    ...{ db, hub, thumbnails, isClosing: () => closing },
    onFailure: (error) => onFailure(error, 'thumbnail'),
    onDrained: renditionRunner.wake,
  });
  const reading = {
    files,
    imaging,
    onFailure: (error: unknown) => onFailure(error, 'decoder'),
    isClosing: () => closing,
  };
  const onImportFailure = (error: unknown) => onFailure(error, 'import');
  const reader = createReader({ db, reading, parallelFiles: 2 }, onImportFailure);
  const importRunner = startImportRunner({
    ...{ db, files, reading, reader, limits, records: news, fetchFromObjectStore: aws.fetchFromObjectStore },
    news: createImportNews(db, hub, (error) => onFailure(error, 'import news')),
    onImported: thumbnailRunner.wake,
    onFailure: onImportFailure,
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
  });

  return {
    files,
    imaging,
    accessLog,
    thumbnails: thumbnailRunner,
    renditions: {
      idle: async () => {
        await renditionRunner.idle();
        await renditions.idle();
      },
    },
    routes: (server, binding) => {
      resourceRoutes(server, { db, binding, files, accessLog, news, thumbLinks, thumbnails, renditions, places });
      importRoutes(server, {
        ...{ db, binding, files, drafts, objectStore: aws.store, accessLog, limits, fileThumbnails },
        ...{ wake: importRunner.wake, onReceived: reader.ahead },
      });
    },
    close: async () => {
      closing = true;
      await sweeping.close();
      const stopped = Promise.all([
        importRunner.close(),
        reader.close(),
        thumbnailRunner.close(),
        renditionRunner.close(),
      ]);
      // What waits for a decoder fails now, stays as it was, and is taken up at the next start.
      await imaging.close();
      await Promise.all([stopped, renditions.idle()]);
      await aws.close();
    },
  };
};
