import type { FastifyReply } from 'fastify';
import { DicomProblem } from '../../dicom/problem.ts';
import { ProblemError } from '../domain/problem-error.ts';

/** Sends a JPEG. @throws ProblemError 'image-not-readable' when no picture can be made; StorageError 'damaged', 'missing' */
export const sendThumbnail = async (picture: Promise<Uint8Array>, reply: FastifyReply): Promise<FastifyReply> => {
  const bytes = await picture.catch((error: unknown) => {
    if (error instanceof DicomProblem) throw new ProblemError('image-not-readable');
    throw error;
  });
  // `no-store`: the picture must not stay in the cache of a shared workstation.
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return reply.type('image/jpeg').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
};
