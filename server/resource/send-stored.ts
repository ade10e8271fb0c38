import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { type FileStore, StorageFault } from '../storage/file-store.ts';
import { requestedRange } from './byte-range.ts';

export interface StoredBody {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** Value of Cache-Control. */
  readonly cacheControl: string;
}

/**
 * Streams a stored file: whole (200), a range of it (206), nothing new (304) or no such range (416).
 * The bytes of a hash never change, so the hash is a strong ETag.
 * @throws Refusal 'image-not-readable' when the file is gone from the store
 */
export const sendStored = async (
  files: FileStore,
  body: StoredBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const etag = `"${body.sha256}"`;
  reply.headers({
    'cache-control': body.cacheControl,
    etag,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const wanted = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = requestedRange(wanted, body.sizeBytes);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${body.sizeBytes}`).send();
  }
  const stream = await files.openRange(body.sha256, range ?? undefined).catch((error: unknown) => {
    if (error instanceof StorageFault && error.code === 'missing') {
      request.log.error({ sha256: body.sha256 }, 'a row names a file that the store does not hold');
      throw new Refusal('image-not-readable');
    }
    throw error;
  });
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${body.sizeBytes}`);
  }
  const length = range ? range.last - range.first + 1 : body.sizeBytes;
  return reply.header('content-length', length).type(body.contentType).send(stream);
};
