import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Binding } from '../route-binding.ts';
import type { AccessLog } from './access-log.ts';

/** What the routes of the access log need. */
export interface AccessLogDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly accessLog: AccessLog;
}
