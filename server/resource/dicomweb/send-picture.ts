import type { FastifyReply } from 'fastify';
import type { MediaRange } from './accept.ts';

/** Of a picture that a client asks for, in pixels. */
export const maxPictureEdge = 8_192;

export type PictureFormat = 'jpeg' | 'png';

/** Returns the format of a picture that a media range allows. */
export const pictureFormatFor = ({ type }: MediaRange): PictureFormat | null => {
  if (['*/*', 'image/*', 'image/jpeg', 'image/jpg'].includes(type)) return 'jpeg';
  return type === 'image/png' ? 'png' : null;
};

export const sendPicture = (reply: FastifyReply, format: PictureFormat, bytes: Uint8Array): FastifyReply =>
  reply
    .headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' })
    .type(`image/${format}`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
