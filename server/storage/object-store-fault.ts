/**
 * The object store did not do what it was asked. `away`: no answer, or one that says later; `denied`: it does not let us, or has no such bucket.
 * Both pass: somebody mends the line or the settings. `message` is for the log: no address, no key, no name of a file.
 */
export class ObjectStoreFault extends Error {
  override readonly name = 'ObjectStoreFault';
  readonly code: 'away' | 'denied';

  constructor(code: 'away' | 'denied', message: string) {
    super(message);
    this.code = code;
  }
}

/** The HTTP status of an error of the SDK, null when there was no answer. */
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

/** The store says that there is no such object, or no such upload (any more). */
export const isNotThere = (error: unknown): boolean =>
  namesOf(error).some((name) => ['NoSuchKey', 'NoSuchUpload', 'NotFound'].includes(name));

/** The store does not know how to do this. */
export const isNotImplemented = (error: unknown): boolean => [405, 501].includes(statusOf(error) ?? 0);

/** The SDK's error as a fault of ours. Its own message can hold addresses and keys, and is left out. */
export const asObjectStoreFault = (what: string, error: unknown): ObjectStoreFault => {
  if (error instanceof ObjectStoreFault) return error;
  const status = statusOf(error);
  const isDenied = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  const cause = [...new Set([...namesOf(error), ...(status === null ? [] : [String(status)])])].join(' ');
  return new ObjectStoreFault(isDenied ? 'denied' : 'away', `The object store failed at: ${what} (${cause})`);
};
