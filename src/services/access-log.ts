import { accessLogExtract, accessLogGet, accessLogUsers } from '../../contract/access-log.ts';
import { pathOf, type QueryOf, type ReplyOf } from '../../contract/route.ts';
import { type Call, queryText, type WithBearer } from './call.ts';
import { ServiceError } from './failure.ts';
import { createLogReviews, type LogReviews } from './log-reviews.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { sendRaw } from './send.ts';

export type ExtractRequest = QueryOf<typeof accessLogExtract> & { readonly patientId: string };

/** A file with the name given by the archive. */
export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}
type LogQuery = Omit<QueryOf<typeof accessLogGet>, 'before' | 'ppage'>;

export interface AccessLogService {
  /** Entries older than the one of id `before` (null: the newest), newest first. */
  page(params: LogQuery, before: string | null, signal: AbortSignal): Promise<ReplyOf<typeof accessLogGet>>;
  /** Returns the users whose entries can be requested. */
  users(params: QueryOf<typeof accessLogUsers>, signal: AbortSignal): Promise<ReplyOf<typeof accessLogUsers>>;
  /**
   * Returns the complete extract for a patient; rejects if the download breaks off.
   * @throws ServiceError; the reason of `signal` when it is aborted
   */
  extract(params: ExtractRequest, signal: AbortSignal): Promise<NamedFile>;
  readonly reviews: LogReviews;
}

const where = `GET ${accessLogExtract.path}`;

/** The archive needs long for an extract of many years. */
const timeoutMs = 300_000;

/** Entries per call. */
const entriesAtOnce = 100;

const extractFrom =
  (origin: string, withBearer: WithBearer): AccessLogService['extract'] =>
  async ({ patientId, ...query }, signal) => {
    const url = `${origin}${pathOf(accessLogExtract.path, { id: patientId })}`;
    const response = await withBearer((bearer) =>
      sendRaw(url, { method: 'GET', bearer, query: queryText(query), signal, timeoutMs }),
    );
    await requireSuccess(response, where);
    const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    if (!name) throw new ServiceError({ kind: 'drift', where });
    return { name, content: await readBody(() => response.blob(), signal) };
  };

/** Creates the access log service; the archive limits the entries to those that the user can read. */
export const createAccessLog = (origin: string, call: Call, withBearer: WithBearer): AccessLogService => ({
  page: (params, before, signal) =>
    call(accessLogGet, { query: { ...params, ppage: entriesAtOnce, ...(before !== null && { before }) }, signal }),
  users: (params, signal) => call(accessLogUsers, { query: params, signal }),
  extract: extractFrom(origin, withBearer),
  reviews: createLogReviews(call),
});
