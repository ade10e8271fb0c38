/** `gone`: no reply, or an error of the store itself; `slow`: no reply in time; `denied`: wrong keys or missing permissions. */
export type ObjectStoreProblem = 'gone' | 'slow' | 'denied' | 'bucket-missing' | 'full';

/**
 * Thrown when the object store fails. `away`: no reply, or a temporary error; `denied`: access denied or no such bucket. Both may be fixed and
 * retried. `message` is for the log: no URL, key or file name.
 */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreFault';
  readonly code: 'away' | 'denied';
  readonly problem: ObjectStoreProblem;

  constructor(
    code: 'away' | 'denied',
    message: string,
    problem: ObjectStoreProblem = code === 'away' ? 'gone' : 'denied',
  ) {
    super(message);
    this.code = code;
    this.problem = problem;
  }
}

/** Returns the HTTP status of an SDK error, null without a reply. */
export const statusOf = (error: unknown): number | null => {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return null;
  const { $metadata: facts } = error;
  if (typeof facts !== 'object' || facts === null || !('httpStatusCode' in facts)) return null;
  return typeof facts.httpStatusCode === 'number' ? facts.httpStatusCode : null;
};

const namesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return [error.name, ...(code === null ? [] : [code])];
};

/** Returns whether the store has no such object or no such open upload. */
export const isNotThere = (error: unknown): boolean =>
  namesOf(error).some((name) => ['NoSuchKey', 'NoSuchUpload', 'NotFound'].includes(name));

/** Returns whether the store does not implement the operation. */
export const isNotImplemented = (error: unknown): boolean => [405, 501].includes(statusOf(error) ?? 0);

const fullNames = ['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'StorageFull'];
const slowNames = ['TimeoutError', 'AbortError', 'RequestTimeout', 'SlowDown', 'ETIMEDOUT'];

const problemOf = (names: readonly string[], status: number | null): ObjectStoreProblem => {
  if (names.includes('NoSuchBucket')) return 'bucket-missing';
  if (status === 507 || names.some((name) => fullNames.includes(name))) return 'full';
  if (status === 408 || status === 429 || names.some((name) => slowNames.includes(name))) return 'slow';
  return status !== null && status >= 400 && status < 500 ? 'denied' : 'gone';
};

/** Converts an SDK error. Its message can hold URLs and keys, and is dropped. */
export const asObjectStoreError = (what: string, error: unknown): ObjectStoreError => {
  if (error instanceof ObjectStoreError) return error;
  const status = statusOf(error);
  const names = namesOf(error);
  const isDenied = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  const cause = [...new Set([...names, ...(status === null ? [] : [String(status)])])].join(' ');
  const text = `The object store failed at: ${what} (${cause})`;
  return new ObjectStoreError(isDenied ? 'denied' : 'away', text, problemOf(names, status));
};
