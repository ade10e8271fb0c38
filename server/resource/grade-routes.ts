import type { FastifyInstance } from 'fastify';
import { gradeReport, gradeSample } from '../../contract/grade-report.ts';
import { isGraded } from '../../contract/grade-summary.ts';
import { type GradeVersion, gradeGet, gradeSave } from '../../contract/grades.ts';
import { type Acquisition, acquisitionOf } from '../../dicom/acquisition.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { galleryRows } from '../db/stores/gallery-rows.ts';
import { gradedImages, imagesToGrade } from '../db/stores/graded-images.ts';
import { type GradeRow, gradeVersions, insertGrade } from '../db/stores/grades.ts';
import { findImage, type ImageRow } from '../db/stores/images.ts';
import { gradeReportOf } from '../domain/grade-report.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { type FileStore, StorageError } from '../storage/file-store.ts';
import { readStoredHeader } from '../storage/stored-header.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { galleryImageOf, imagesListed } from './gallery-routes.ts';
import { accessTo } from './record-access.ts';

const versionOf = (row: GradeRow): GradeVersion => ({
  version: row.version,
  grade: row.grade,
  reason: row.reason,
  text: row.text,
  author: { id: row.author_id, name: row.author_name },
  savedAt: row.saved_at.toISOString(),
});

const notStated: Acquisition = { operator: null, isCephalometric: false };

/** Returns what the file of an image states. A file that cannot be read states nothing, and its image can still be graded. */
const acquisitionOfImage = async (files: FileStore, { source, sha256, size_bytes }: ImageRow): Promise<Acquisition> => {
  if (source !== 'dicom') return notStated;
  try {
    return acquisitionOf((await readStoredHeader(files, sha256, size_bytes)).dataSet);
  } catch (error) {
    if (error instanceof DicomProblem || error instanceof StorageError) return notStated;
    throw error;
  }
};

/** Registers the routes that grade the quality of images, offer images to grade, and report. There is none that changes or deletes a grade. */
export const gradeRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, files, accessLog, events, thumbLinks } = deps;

  bind(server, binding, gradeGet, async ({ principal, params }) => {
    const image = requireAccessible(principal, await findImage(db, params.id));
    const rows = await gradeVersions(db, image.id);
    // Where nothing was graded, nothing was read.
    if (rows.length > 0) await accessLog.note(accessTo(principal, image, 'grade.opened'));
    return { versions: rows.map(versionOf) };
  });

  bind(server, binding, gradeSave, async ({ principal, body }) => {
    const image = requireAccessible(principal, await findImage(db, body.id));
    if (image.kind !== 'image' || !isGraded(image.modality))
      throw new ProblemError('invalid-request', [{ fieldKey: 'id' }]);
    const { accountId } = principal;
    const { operator, isCephalometric } = await acquisitionOfImage(files, image);
    const grading = {
      imageId: image.id,
      accountId,
      grade: body.grade,
      reason: body.grade === 'N' ? body.reason : null,
      text: 'text' in body ? body.text : '',
      operator,
      is_cephalometric: isCephalometric,
    };
    const { row, record } = await db.transaction().execute(async (transaction) => {
      // Read again: the image may have been moved to another patient or deleted meanwhile.
      const now = requireAccessible(principal, await findImage(transaction, image.id));
      const row = await insertGrade(transaction, grading, body.version);
      if (!row) throw new ProblemError('conflict');
      const { customer_id: customerId, patient_id: patientId } = now;
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, now, 'grade.saved') }]);
      return { row, record: { principal, customerId, patientId } };
    });
    await events.patientChanged(record);
    return versionOf(row);
  });

  bind(server, binding, gradeSample, async ({ principal, body }) => {
    const { customerId, group, ...period } = body;
    if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    const asked = { customerId, ...period, seesProtected: seesProtected(principal) };
    const { images, graded, ids } = await imagesToGrade(db, asked, group);
    const rows = await galleryRows(db, ids);
    await accessLog.note(...imagesListed(principal, customerId, rows));
    const links = thumbLinks.of(principal);
    return { images, graded, data: rows.map((row) => galleryImageOf(row, links)) };
  });

  bind(server, binding, gradeReport, async ({ principal, params: { customerId }, query }) => {
    if (!canUseClinic(principal, customerId) || !(await customerById(db, customerId)))
      throw new ProblemError('not-found');
    return gradeReportOf(await gradedImages(db, { customerId, ...query }));
  });
};
