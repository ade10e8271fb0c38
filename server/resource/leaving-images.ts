import { type DownloadScope, maxImagesOfRecord } from '../../contract/gallery.ts';
import { type Recipient, recipientDetail } from '../../contract/recipient.ts';
import { type ImageToDownload, imagesToDownload } from '../db/stores/downloads.ts';
import { findPatient } from '../db/stores/patients.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { ResourceDependencies } from './dependencies.ts';

/** Returns images that leave the archive. @throws ProblemError 'not-found' when one is not accessible or there is none; 'too-many-files' */
export const requireImages = async (
  { db }: Pick<ResourceDependencies, 'db'>,
  principal: Principal,
  scope: DownloadScope,
): Promise<ImageToDownload[]> => {
  const rows = await imagesToDownload(db, scope, maxImagesOfRecord + 1);
  if (rows.length < new Set(scope.imageUIDs ?? ['any']).size) throw new ProblemError('not-found');
  for (const row of rows) requireAccessible(principal, row);
  if (rows.length > maxImagesOfRecord) throw new ProblemError('too-many-files');
  return rows;
};

/** Returns the images of a patient, who may have none. @throws ProblemError 'not-found' when the patient is not accessible; 'too-many-files' */
export const requirePatientImages = async (
  { db }: Pick<ResourceDependencies, 'db'>,
  principal: Principal,
  patientId: string,
): Promise<ImageToDownload[]> => {
  requireAccessible(principal, await findPatient(db, patientId));
  const rows = await imagesToDownload(db, { patientId }, maxImagesOfRecord + 1);
  if (rows.length > maxImagesOfRecord) throw new ProblemError('too-many-files');
  return rows;
};

/** Returns the access log entries of images that leave the archive. */
export const leavingEntries = (
  { accountId }: Principal,
  rows: readonly ImageToDownload[],
  action: 'image.downloaded' | 'image.exported',
  recipient: Recipient,
) =>
  rows.map((row) => ({
    accountId,
    customerId: row.customer_id,
    patientId: row.patient_id,
    action,
    objectId: row.id,
    detail: recipientDetail(recipient),
  }));
