import type { FastifyInstance } from 'fastify';
import { hasClaim } from '../../../contract/claims.ts';
import { imageDownload, imageDownloadPreview } from '../../../contract/gallery.ts';
import { noRightError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { leavingEntries, requireImages } from '../leaving-images.ts';
import { sharingProblem } from '../sharing/sharing-problem.ts';
import { countBurnedIn } from './anonymised-image.ts';
import { gather, sendZip, whileConnected } from './gather-zip.ts';
import { requireAny } from './gathered.ts';
import { recordFiles } from './record-files.ts';
import { referralFile } from './referral-file.ts';

/**
 * Registers the download of images as one zip, and its preview. Each image is logged before the first byte is sent. Damaged or missing files
 * are left out and listed in the zip; with none left the reply is an error.
 */
export const downloadRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog } = deps;

  bind(server, binding, imageDownloadPreview, async ({ principal, body }) => {
    const rows = await requireImages(deps, principal, body);
    const burnedIn = body.content === 'anonymised' ? await countBurnedIn(deps.files, rows) : null;
    const sizeBytes = rows.reduce((sum, row) => sum + row.size_bytes, 0);
    return { files: rows.length, sizeBytes, burnedIn, canShare: (await sharingProblem(db, rows)) === null };
  });

  bind(server, binding, imageDownload, async ({ principal, body, reply }) => {
    const rows = await requireImages(deps, principal, body);
    const { content, patientId, language = 'sv', question } = body;
    const isRecord = content === 'record' && patientId !== undefined;
    if (isRecord && !hasClaim(principal.permissions, 'user.get')) throw noRightError('user.get');
    const gathered = await gather(deps, body, rows, whileConnected(reply));
    requireAny(gathered);
    const { sent } = gathered;
    await accessLog.note(...leavingEntries(principal, sent, 'image.downloaded', body));
    const referral = question === undefined ? [] : [referralFile(body, sent)];
    if (!isRecord) return sendZip(reply, gathered, referral);
    const { patient, files } = await recordFiles(deps, patientId, { sent, language });
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient.customer_id,
      patientId,
      action: 'log.extracted',
      objectId: null,
      detail: 'csv',
    });
    return sendZip(reply, gathered, [...files, ...referral]);
  });
};
