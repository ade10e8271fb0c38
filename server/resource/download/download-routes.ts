import type { FastifyInstance } from 'fastify';
import { hasClaim } from '../../../contract/claims.ts';
import { imageDownload, imageDownloadPreview } from '../../../contract/gallery.ts';
import { recipientDetail } from '../../../contract/recipient.ts';
import { noRightError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { leavingEntries, requireImages, requirePatientImages } from '../leaving-images.ts';
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
    const { patientId } = body;
    const rows =
      patientId === undefined
        ? await requireImages(deps, principal, body)
        : await requirePatientImages(deps, principal, patientId);
    const burnedIn = body.content === 'anonymised' ? await countBurnedIn(deps.files, rows) : null;
    const sizeBytes = rows.reduce((sum, row) => sum + row.size_bytes, 0);
    return { files: rows.length, sizeBytes, burnedIn, canShare: (await sharingProblem(db, rows)) === null };
  });

  bind(server, binding, imageDownload, async ({ principal, body, reply }) => {
    const { content, patientId, language = 'sv', question } = body;
    const isRecord = content === 'record' && patientId !== undefined;
    const rows = isRecord
      ? await requirePatientImages(deps, principal, patientId)
      : await requireImages(deps, principal, body);
    if (isRecord && !hasClaim(principal.permissions, 'user.get')) throw noRightError('user.get');
    const gathered = await gather(deps, body, rows, whileConnected(reply));
    requireAny(gathered);
    const { sent } = gathered;
    await accessLog.note(...leavingEntries(principal, sent, 'image.downloaded', body));
    const referral = question === undefined ? [] : [referralFile(body, sent)];
    if (!isRecord) return sendZip(reply, gathered, referral);
    const { patient, files } = await recordFiles(deps, patientId, { sent, language });
    const entry = { accountId: principal.accountId, customerId: patient.customer_id, patientId, objectId: null };
    await accessLog.note({ ...entry, action: 'log.extracted', detail: 'csv' });
    if (sent.length === 0)
      await accessLog.note({ ...entry, action: 'image.downloaded', detail: recipientDetail(body) });
    return sendZip(reply, gathered, [...files, ...referral]);
  });
};
