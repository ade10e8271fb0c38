import type { FastifyReply } from 'fastify';
import { DicomProblem } from '../../dicom/problem.ts';
import { ProblemError } from '../domain/problem-error.ts';

const problemErrorOf = (error: unknown): unknown => {
  if (!(error instanceof DicomProblem)) return error;
  return new ProblemError(error.code === 'no-such-frame' ? 'not-found' : 'image-not-readable');
};

/** Sends a rendition. @throws ProblemError 'not-found', 'image-not-readable'; StorageError 'damaged', 'missing' */
export const sendRendition = async (rendition: Promise<Uint8Array>, reply: FastifyReply): Promise<FastifyReply> => {
  const bytes = await rendition.catch((error: unknown) => {
    throw problemErrorOf(error);
  });
  // `no-store`: the picture must not stay in the cache of a shared workstation.
  reply.headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
  return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
};
