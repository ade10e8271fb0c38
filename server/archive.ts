import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { ImportLimits } from '../contract/uploads.ts';
import type { Schema } from './db/schema.ts';
import { linkKey } from './db/stores/link-key.ts';
import { createImaging, type Imaging } from './dicom/imaging.ts';
import type { Hub } from './hub/hub.ts';
import { createFileThumbnails } from './imports/ledger/file-thumbnails.ts';
import { createImportNews } from './imports/ledger/import-news.ts';
import { startImportRunner } from './imports/ledger/import-runner.ts';
import { createReader } from './imports/ledger/reader.ts';
import { defaultLimits } from './imports/limits.ts';
import { importRoutes } from './imports/routes.ts';
import { createAccessLog } from './resource/access-log.ts';
import { openDerivedCache } from './resource/derived-cache.ts';
import { createRecordNews } from './resource/record-news.ts';
import { createRenditions, type Renditions } from './resource/renditions.ts';
import { resourceRoutes } from './resource/routes.ts';
import { createThumbLinks } from './resource/thumb-links.ts';
import { startThumbnailRunner, type ThumbnailRunner } from './resource/thumbnail-runner.ts';
import { createThumbnails } from './resource/thumbnails.ts';
import type { Binding } from './route-binding.ts';
import { openDiskStore } from './storage/disk-store.ts';
import type { FileStore } from './storage/file-store.ts';

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
  /** What is made for the viewer ahead takes at most this much of the disk; the least recently used gives way. */
  readonly renditionBytes?: number;
}

export interface Archive {
  readonly files: FileStore;
  readonly imaging: Imaging;
  readonly thumbnails: ThumbnailRunner;
  readonly renditions: Pick<Renditions, 'idle'>;
  /** Registers patients, studies, viewsets, images and imports. */
  routes(server: FastifyInstance, binding: Binding): void;
  /** Stops after the file in hand; imports go on at the next start. */
  close(): Promise<void>;
}

/** The image archive: storage, imports and thumbnails at work, and the routes to them. Unfinished imports are taken up here. */
export const openArchive = async (options: ArchiveOptions): Promise<Archive> => {
  const { db, hub, dataFolder, onFailure, leaseSeconds, decodeTimeLimitMs } = options;
  const { limits = defaultLimits, renditionBytes = 20 * 2 ** 30 } = options;
  let closing = false;
  const files = await openDiskStore(path.join(dataFolder, 'files'));
  const imaging = createImaging({
    maxFileBytes: limits.fileBytes,
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
    renditions,
  });
  const fileThumbnails = createFileThumbnails({ db, thumbnails, key });
  const accessLog = createAccessLog(db);
  const news = createRecordNews(hub, (error) => onFailure(error, 'record news'));

  const thumbnailRunner = startThumbnailRunner({
    db,
    hub,
    thumbnails,
    links: thumbLinks,
    onFailure: (error) => onFailure(error, 'thumbnail'),
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
    ...{ db, files, reading, reader, limits, records: news, fetchFromObjectStore: null },
    news: createImportNews(db, hub, (error) => onFailure(error, 'import news')),
    onImported: thumbnailRunner.wake,
    onFailure: onImportFailure,
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
  });

  return {
    files,
    imaging,
    thumbnails: thumbnailRunner,
    renditions,
    routes: (server, binding) => {
      resourceRoutes(server, { db, binding, files, accessLog, news, thumbLinks, thumbnails, renditions });
      importRoutes(server, { db, binding, files, accessLog, ...{ wake: importRunner.wake, onReceived: reader.ahead }, limits, fileThumbnails });
    },
    close: async () => {
      closing = true;
      const stopped = Promise.all([importRunner.close(), reader.close(), thumbnailRunner.close()]);
      // What waits for a decoder fails now, stays as it was, and is taken up at the next start.
      await imaging.close();
      await Promise.all([stopped, renditions.idle()]);
    },
  };
};
