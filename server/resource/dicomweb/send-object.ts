import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { sendStored } from '../send-stored.ts';
import type { MediaRange } from './accept.ts';
import type { DicomWebDependencies } from './dependencies.ts';
import { type SentObject, sentObject } from './sent-object.ts';

/** Objects are sent as they are stored, which `*`, the stored syntax, and no syntax at all allow. */
export const allowsStored = (
  { transferSyntax }: Pick<MediaRange, 'transferSyntax'>,
  rows: readonly Pick<DicomWebImageRow, 'transfer_syntax'>[],
): boolean =>
  transferSyntax === null || transferSyntax === '*' || rows.every((row) => row.transfer_syntax === transferSyntax);

type SendDependencies = Pick<DicomWebDependencies, 'files' | 'fileErrors'>;

/** Returns an object whose file was read and has its hash. @throws StorageError 'damaged', 'missing', 'away' */
export const verifiedObject = async (
  { files, fileErrors }: SendDependencies,
  row: DicomWebImageRow,
): Promise<SentObject> => {
  await fileErrors.watch(row.sha256, () => files.verify(row.sha256));
  return sentObject(files, row);
};

/** Sends one object as a body of its own. */
export const sendObject = async (
  deps: SendDependencies,
  row: DicomWebImageRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { isAsStored, open } = await verifiedObject(deps, row);
  const contentType = 'application/dicom';
  if (!isAsStored) return reply.type(contentType).send(Readable.from(open(), { objectMode: false }));
  const body = { sha256: row.sha256, sizeBytes: row.size_bytes, contentType, cacheControl: 'private, no-store' };
  return sendStored(deps, body, request, reply);
};
