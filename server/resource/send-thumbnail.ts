import type { FastifyReply, FastifyRequest } from 'fastify';
import { DicomProblem } from '../../dicom/problem.ts';
import { Refusal } from '../refusal.ts';
import { StorageFault } from '../storage/file-store.ts';

export interface ThumbnailReply {
  /** JPEG. */
  readonly picture: Promise<Uint8Array>;
  /** Equal names are equal pictures. */
  readonly name: string;
  /** Seconds since 1970 until which the link is good, and the browser may keep the picture. */
  readonly expires: number;
}

/** @throws Refusal 'image-not-readable' when no picture can be made, or its file is gone */
export const sendThumbnail = async (
  { picture, name, expires }: ThumbnailReply,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const bytes = await picture.catch((error: unknown) => {
    if (error instanceof DicomProblem) throw new Refusal('image-not-readable');
    if (error instanceof StorageFault && error.code === 'missing') throw new Refusal('image-not-readable');
    throw error;
  });
  const secondsLeft = Math.max(0, expires - Math.floor(Date.now() / 1000));
  const etag = `"${name}"`;
  reply.headers({
    'cache-control': `private, max-age=${secondsLeft}, immutable`,
    etag,
    'x-content-type-options': 'nosniff',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type('image/jpeg').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
};
