import { ProblemError } from '../domain/problem-error.ts';

/** One part of a `multipart/form-data` body (RFC 7578). */
export interface Part {
  readonly name: string;
  /** Null: a field, not a file. */
  readonly fileName: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

const maxHeadLength = 16_384;
const maxFieldLength = 4_096;
const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');

const malformed = () => new ProblemError('invalid-request', [{ fieldKey: 'request' }]);

/** Returns the delimiter of a `content-type`; null when it is not a multipart form. */
export const boundaryOf = (contentType: string | undefined): string | null => {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '');
  return match?.[1] ?? match?.[2] ?? null;
};

/**
 * Browsers write quotes and line ends in a name as `%22`, `%0D`, `%0A` (WHATWG HTML, multipart/form-data encoding); other clients put a `\`
 * before the quote.
 */
const unquoted = (text: string): string =>
  text
    .replace(/\\"/g, '"')
    .replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const parameterOf = (head: string, parameter: string): string | null => {
  const match = new RegExp(`;[ \\t]*${parameter}=(?:"((?:\\\\"|[^"])*)"|([^\\s;]+))`, 'i').exec(head);
  const text = match?.[1] ?? match?.[2];
  return text === undefined ? null : unquoted(text);
};

/** Number of bytes at the end of `held` that may begin the delimiter. */
const beginOfDelimiter = (held: Buffer, delimiter: Buffer): number => {
  const least = Math.max(0, held.length - delimiter.length + 1);
  for (let at = held.indexOf(13, least); at >= 0; at = held.indexOf(13, at + 1))
    if (held.subarray(at).equals(delimiter.subarray(0, held.length - at))) return held.length - at;
  return 0;
};

/** Received bytes that are not yet consumed: one chunk, sometimes with the end of the previous one. */
const createWindow = (source: AsyncIterable<Uint8Array>) => {
  const chunks = source[Symbol.asyncIterator]();
  // The first delimiter has no line before it.
  let held: Buffer = lineEnd;
  const more = async () => {
    const next = await chunks.next();
    if (next.done) throw malformed();
    const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
  };
  const take = (length: number): Buffer => {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
  return {
    /** Yields the bytes up to the delimiter and leaves what follows it. */
    until: async function* (delimiter: Buffer): AsyncGenerator<Uint8Array, void> {
      for (;;) {
        const at = held.indexOf(delimiter);
        const length = at >= 0 ? at : held.length - beginOfDelimiter(held, delimiter);
        if (length > 0) yield take(length);
        if (at >= 0) {
          take(delimiter.length);
          return;
        }
        await more();
      }
    },
    /** Puts bytes before those that follow. */
    putBack: (bytes: Buffer): void => {
      held = Buffer.concat([bytes, held]);
    },
    /** Releases the source, so that another reader can continue. */
    close: async () => void (await chunks.return?.()),
    exactly: async (length: number): Promise<Buffer> => {
      while (held.length < length) await more();
      return take(length);
    },
  };
};

/** Returns the text of a short body. @throws ProblemError 'invalid-request' when it is too long */
export const textOf = async (body: AsyncIterable<Uint8Array>, longest = maxFieldLength): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > longest) throw malformed();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

interface Section {
  /** Header fields of the part, after a line end each. */
  readonly head: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Reads a multipart body (RFC 2046 5.1) as a stream, buffering at most one chunk. What is not read of a part is skipped. */
const readSections = async function* (
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Section, void> {
  const window = createWindow(source);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  try {
    for await (const _ of window.until(delimiter));
    for (;;) {
      const after = (await window.exactly(2)).toString('latin1');
      if (after === '--') return;
      if (after !== '\r\n') throw malformed();
      // A part without header fields begins with the empty line.
      window.putBack(lineEnd);
      const head = await textOf(window.until(headEnd), maxHeadLength);
      let isRead = false;
      const body = (async function* () {
        yield* window.until(delimiter);
        isRead = true;
      })();
      yield { head, body };
      if (!isRead) for await (const _ of window.until(delimiter));
    }
  } finally {
    await window.close();
  }
};

/**
 * Parses a multipart form as a stream, buffering at most one chunk. Optimized for many large files.
 * @throws ProblemError 'invalid-request' for a malformed or truncated form; errors of `source`
 */
export const readParts = async function* (
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void> {
  for await (const { head, body } of readSections(source, boundary)) {
    const disposition = /^content-disposition[ \t]*:[ \t]*form-data[ \t]*(;.*)$/im.exec(head)?.[1];
    const name = disposition === undefined ? null : parameterOf(disposition, 'name');
    if (disposition === undefined || name === null) throw malformed();
    yield { name, fileName: parameterOf(disposition, 'filename'), body };
  }
};

/** One part of a `multipart/related` body (RFC 2387). */
export interface RelatedPart {
  /** Null: it has none. */
  readonly contentType: string | null;
  /** The address of the part. Null: it has none. */
  readonly location: string | null;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Parses a multipart/related body as a stream, as `readParts`.
 * @throws ProblemError 'invalid-request' for a malformed or truncated body; errors of `source`
 */
export const readRelatedParts = async function* (
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<RelatedPart, void> {
  for await (const { head, body } of readSections(source, boundary)) {
    const field = (name: string) => new RegExp(`^${name}[ \\t]*:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1] ?? null;
    yield { contentType: field('content-type'), location: field('content-location'), body };
  }
};
