import type { FastifyInstance } from 'fastify';
import { type GalleryImage, type GalleryPage, imageSearch, imageSearchPrivate } from '../../contract/gallery.ts';
import { countLimit } from '../../contract/lists.ts';
import type { Access } from '../db/stores/access-log.ts';
import { type GalleryRequest, galleryModalities, galleryPage } from '../db/stores/gallery.ts';
import { type GalleryRow, galleryRows } from '../db/stores/gallery-rows.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { thumbLinkOf } from './image-info.ts';
import type { SessionThumbLinks } from './thumb-links.ts';

/** Converts a row to the contract. */
export const galleryImageOf = (row: GalleryRow, links: SessionThumbLinks): GalleryImage => ({
  uid: row.id,
  sopInstanceUid: row.sop_instance_uid,
  name: [row.series_description ?? row.modality, row.number].filter((part) => part !== null).join(' '),
  number: row.number,
  activeImageThumbLink: thumbLinkOf(row, links),
  storageFault: row.file_error,
  patientId: row.patient_id,
  patientName: `${row.first_name} ${row.last_name}`,
  personalNumber: row.personal_number,
  protectedIdentity: row.has_protected_identity,
  studyId: row.study_id,
  studyUid: row.study_uid,
  studyDate: row.study_date,
  studyDescription: row.description,
  seriesUid: row.series_uid,
  seriesModalityValue: row.modality,
  viewsetId: row.viewset_id,
  imageAcquiredDate: row.acquired_at,
  imageComment: row.comments,
  imageCompression: row.compression,
  imageFileName: row.file_name,
  imageFileSize: row.size_bytes,
  imageSensorType: row.sensor_type,
  imageTransferSyntax: row.transfer_syntax,
  source: row.source,
  uploadedAt: row.created_at.toISOString(),
  width: row.columns,
  height: row.rows,
  frames: row.frames,
  teeth: row.chosen_teeth ?? row.teeth,
  laterality: row.laterality,
  grade: row.grade,
});

/** Returns the log entries of a list of images: one for each patient. */
export const imagesListed = (
  principal: Principal,
  customerId: string,
  rows: readonly GalleryRow[],
): Omit<Access, 'at'>[] =>
  [...new Set(rows.map((row) => row.patient_id))].map((patientId) => ({
    accountId: principal.accountId,
    customerId,
    patientId,
    action: 'image.listed',
    objectId: null,
  }));

/** Registers the routes that list all images of a clinic. Each listed patient is logged once per page. */
export const galleryRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, places, thumbLinks } = deps;

  const search = async (principal: Principal, asked: Omit<GalleryRequest, 'seesProtected'>): Promise<GalleryPage> => {
    const { customerId, page, ppage, after } = asked;
    if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    if (after === undefined && page * ppage > countLimit && page > 1)
      throw new ProblemError('invalid-request', [{ fieldKey: 'page', vars: { max: Math.floor(countLimit / ppage) } }]);
    const [{ ids, ...list }, modalities] = await Promise.all([
      galleryPage(db, places, { ...asked, seesProtected: seesProtected(principal) }),
      galleryModalities(db, customerId),
    ]);
    const rows = await galleryRows(db, ids);
    await accessLog.note(...imagesListed(principal, customerId, rows));
    const links = thumbLinks.of(principal);
    return { ...list, data: rows.map((row) => galleryImageOf(row, links)), facets: { modalities } };
  };

  bind(server, binding, imageSearch, ({ principal, query, language }) => search(principal, { ...query, language }));
  bind(server, binding, imageSearchPrivate, ({ principal, body, language }) =>
    search(principal, { ...body, language }),
  );
};
