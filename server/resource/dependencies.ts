import type { Kysely } from 'kysely';
import type { AccessLog } from '../access-log/access-log.ts';
import type { ListPlaces } from '../db/list-places.ts';
import type { Schema } from '../db/schema.ts';
import type { Binding } from '../route-binding.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { RecordNews } from './record-news.ts';
import type { Renditions } from './renditions.ts';
import type { ThumbLinks } from './thumb-links.ts';
import type { Thumbnails } from './thumbnails.ts';

/** What the routes of the resource service are given. */
export interface ResourceDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly files: FileStore;
  readonly accessLog: AccessLog;
  readonly news: RecordNews;
  readonly thumbLinks: ThumbLinks;
  readonly thumbnails: Thumbnails;
  readonly renditions: Renditions;
  /** Seals where the next page of a long list begins. */
  readonly places: ListPlaces;
}
