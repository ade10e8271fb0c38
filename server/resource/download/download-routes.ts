import type { FastifyInstance, FastifyReply } from 'fastify';
import { imageDownload, imageDownloadPreview, leftOutHeader } from '../../../contract/gallery.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import type { Pace } from '../../storage/file-store.ts';
import { type ZippedFile, zipFiles } from '../../storage/zip-files.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { leavingEntries, requireImages } from '../leaving-images.ts';
import { anonymisingWriter, countBurnedIn } from './anonymised-image.ts';
import { gatherMedium, originalWriter } from './dicom-medium.ts';
import { type Gathered, leftOutFile, requireAny } from './gathered.ts';
import { gatherOriginals } from './original-files.ts';
import { referralFile } from './referral-file.ts';

const gatherAnonymised = async (
  deps: ResourceDependencies,
  rows: readonly ImageToDownload[],
  confirmedBurnedIn: number,
  pace: Pace,
): Promise<Gathered> => {
  const writer = anonymisingWriter(deps.files, rows);
  const gathered = await gatherMedium(deps, rows, writer, pace);
  if (writer.burnedIn() > confirmedBurnedIn) throw new ProblemError('conflict');
  return gathered;
};

const gather = (
  deps: ResourceDependencies,
  { content, confirmedBurnedIn }: Pick<BodyOf<typeof imageDownload>, 'content' | 'confirmedBurnedIn'>,
  rows: readonly ImageToDownload[],
  pace: Pace,
): Promise<Gathered> => {
  if (content === 'anonymised') return gatherAnonymised(deps, rows, confirmedBurnedIn ?? 0, pace);
  if (content === 'dicom') return gatherMedium(deps, rows, originalWriter(deps.files), pace);
  return gatherOriginals(deps, rows, pace);
};

const sendZip = (reply: FastifyReply, { zipped, leftOut }: Gathered, added: readonly ZippedFile[]): FastifyReply => {
  const listed = leftOut.length > 0 ? [leftOutFile(leftOut)] : [];
  const { stream, sizeBytes } = zipFiles([...zipped, ...added, ...listed]);
  return reply
    .headers({
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="images.zip"',
      'content-length': sizeBytes,
      [leftOutHeader]: leftOut.length,
      'x-content-type-options': 'nosniff',
    })
    .type('application/zip')
    .send(stream);
};

/**
 * Registers the download of images as one zip, and its preview. Each image is logged before the first byte is sent. Damaged or missing files
 * are left out and listed in the zip; with none left the reply is an error.
 */
export const downloadRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { binding, accessLog } = deps;

  bind(server, binding, imageDownloadPreview, async ({ principal, body }) => {
    const rows = await requireImages(deps, principal, body);
    const burnedIn = body.content === 'anonymised' ? await countBurnedIn(deps.files, rows) : null;
    return { files: rows.length, sizeBytes: rows.reduce((sum, row) => sum + row.size_bytes, 0), burnedIn };
  });

  bind(server, binding, imageDownload, async ({ principal, body, reply }) => {
    const rows = await requireImages(deps, principal, body);
    const whileConnected: Pace = async () => {
      if (reply.raw.destroyed) throw new Error('the client has gone');
    };
    const gathered = await gather(deps, body, rows, whileConnected);
    requireAny(gathered);
    await accessLog.note(...leavingEntries(principal, gathered.sent, 'image.downloaded', body));
    return sendZip(reply, gathered, body.question === undefined ? [] : [referralFile(body, gathered.sent)]);
  });
};
