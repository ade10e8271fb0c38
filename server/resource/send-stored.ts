import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileErrors } from '../integrity/file-errors.ts';
import type { FileStore } from '../storage/file-store.ts';
import { requestedRange } from './byte-range.ts';

export interface StoredFiles {
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
}

export interface StoredBody {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** Value of Cache-Control. */
  readonly cacheControl: string;
}

/**
 * Streams a stored file: whole (200), a range (206), not modified (304) or range not satisfiable (416). The hash is a strong ETag: the whole
 * file is verified before any byte or ETag is sent.
 * @throws StorageError 'damaged', 'missing'
 */
export const sendStored = async (
  { files, fileErrors }: StoredFiles,
  body: StoredBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { sha256, sizeBytes } = body;
  const etag = `"${sha256}"`;
  const headers = {
    'cache-control': body.cacheControl,
    etag,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  };
  if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send();
  const condition = request.headers['if-range'];
  const rangeHeader = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = requestedRange(rangeHeader, sizeBytes);
  if (range === 'unsatisfiable') {
    return reply.code(416).headers(headers).header('content-range', `bytes */${sizeBytes}`).send();
  }
  const stream = await fileErrors.watch(sha256, () => files.openVerified(sha256, range ?? undefined));
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
  const length = range ? range.last - range.first + 1 : sizeBytes;
  return reply.headers(headers).header('content-length', length).type(body.contentType).send(stream);
};
