/**
 * Thrown when the object store fails. `away`: no reply, or a temporary error; `denied`: access denied or no such bucket. Both may be fixed and
 * retried. `message` is for the log: no URL, key or file name.
 */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreFault';
  readonly code: 'away' | 'denied';

  constructor(code: 'away' | 'denied', message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the HTTP status of an SDK error, null without a reply. */
const statusOf = (error: unknown): number | null => {
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

/** Converts an SDK error. Its message can hold URLs and keys, and is dropped. */
export const asObjectStoreError = (what: string, error: unknown): ObjectStoreError => {
  if (error instanceof ObjectStoreError) return error;
  const status = statusOf(error);
  const isDenied = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  const cause = [...new Set([...namesOf(error), ...(status === null ? [] : [String(status)])])].join(' ');
  return new ObjectStoreError(isDenied ? 'denied' : 'away', `The object store failed at: ${what} (${cause})`);
};
