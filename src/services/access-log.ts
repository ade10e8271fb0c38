import { accessLogExtract, accessLogGet, accessLogPeople } from '../../contract/access-log.ts';
import { pathOf, type QueryOf, type ReplyOf } from '../../contract/route.ts';
import { type Call, queryText, type WithBearer } from './call.ts';
import { ServiceError } from './failure.ts';
import { refusalOf } from './refusal.ts';
import { sendRaw } from './send.ts';

export type ExtractAsked = QueryOf<typeof accessLogExtract> & { readonly patientId: string };

/** A file as the archive names it. */
export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}
type LogAsked = Omit<QueryOf<typeof accessLogGet>, 'before' | 'ppage'>;

export interface AccessLogService {
  /** Entries older than the one of id `before` (null: the newest), newest first. */
  page(asked: LogAsked, before: string | null, signal: AbortSignal): Promise<ReplyOf<typeof accessLogGet>>;
  /** Whose entries one may ask for, by name. */
  people(asked: QueryOf<typeof accessLogPeople>, signal: AbortSignal): Promise<ReplyOf<typeof accessLogPeople>>;
  /**
   * The extract for a patient, whole: one that was broken off on its way is no extract.
   * @throws ServiceError; the reason of `signal` when it is aborted
   */
  extract(asked: ExtractAsked, signal: AbortSignal): Promise<NamedFile>;
}

const where = `GET ${accessLogExtract.path}`;

/** A record of many years takes the archive a while to write. */
const timeoutMs = 300_000;

/** Entries of one call. */
const entriesAtOnce = 100;

const extractFrom =
  (origin: string, withBearer: WithBearer): AccessLogService['extract'] =>
  async ({ patientId, ...query }, signal) => {
    const url = `${origin}${pathOf(accessLogExtract.path, { id: patientId })}`;
    const response = await withBearer((bearer) =>
      sendRaw(url, { method: 'GET', bearer, query: queryText(query), signal, timeoutMs }),
    );
    if (response.status >= 400) {
      const body: unknown = await response.json().catch(() => null);
      throw new ServiceError(refusalOf(response.status, body, where));
    }
    const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    if (!name) throw new ServiceError({ kind: 'drift', where });
    try {
      return { name, content: await response.blob() };
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw new ServiceError({ kind: 'offline' }, { cause });
    }
  };

/** The access log: what the archive lets this person read of it. */
export const createAccessLog = (origin: string, call: Call, withBearer: WithBearer): AccessLogService => ({
  page: (asked, before, signal) =>
    call(accessLogGet, { query: { ...asked, ppage: entriesAtOnce, ...(before !== null && { before }) }, signal }),
  people: (asked, signal) => call(accessLogPeople, { query: asked, signal }),
  extract: extractFrom(origin, withBearer),
});
