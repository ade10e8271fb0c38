import type { ImageInfo } from '../../contract/images.ts';
import { isVideo } from '../../dicom/transfer-syntax.ts';
import type { ImageRow } from '../db/stores/images.ts';
import { knownAuthors } from '../domain/authored-marks.ts';
import { encapsulatedPdfClass } from '../domain/image-classes.ts';
import type { SessionThumbLinks } from './thumb-links.ts';

/** Returns the thumbnail link of an image: null while it is being made, or `error`. */
export const thumbLinkOf = (
  row: Pick<ImageRow, 'id' | 'kind' | 'thumb_status'>,
  links: SessionThumbLinks,
): string | null => {
  if (row.kind === 'document' || row.thumb_status === 'pending') return null;
  return row.thumb_status === 'error' ? 'error' : links.linkTo(row.id);
};

/** Returns the caption of an image: the series description and the image's number in it. */
const nameOf = (row: ImageRow, order: number): string =>
  `${row.series_description ?? row.modality} ${row.number ?? order}`;

/** Converts a row to the contract. `order` is the position within its series, from 1. */
export const imageInfoOf = (row: ImageRow, order: number, links: SessionThumbLinks): ImageInfo => ({
  uid: row.id,
  sopInstanceUid: row.sop_instance_uid,
  kind: row.kind,
  documentType: row.sop_class_uid === encapsulatedPdfClass ? 'pdf' : null,
  isVideo: row.kind === 'document' && isVideo(row.transfer_syntax),
  name: nameOf(row, order),
  number: row.number,
  order,
  width: row.columns,
  height: row.rows,
  frames: row.frames,
  imageAcquiredDate: row.acquired_at,
  imageComment: row.comments,
  imageCompression: row.compression,
  imageFileName: row.file_name,
  imageFileSize: row.size_bytes,
  imageSensorType: row.sensor_type,
  imageTransferSyntax: row.transfer_syntax,
  source: row.source,
  seriesModalityValue: row.modality,
  seriesUid: row.series_uid,
  studyUid: row.study_uid,
  viewsetId: row.viewset_id,
  teeth: row.chosen_teeth ?? row.teeth,
  teethSource: row.chosen_teeth ? 'user' : 'file',
  laterality: row.laterality,
  activeImageThumbLink: thumbLinkOf(row, links),
  storageFault: row.file_error,
  display: row.display,
  displayVersion: row.display_version ?? 0,
  marks: row.marks,
  annotations: row.annotations,
  markAuthors: [...knownAuthors(row)],
  calibration: row.calibration,
  marksVersion: row.marks_version,
  note: row.note,
  grade: row.grade,
  version: row.version,
});

/** Converts rows sorted by series to contract images, numbered within each series. */
export const imageInfosOf = (rows: readonly ImageRow[], links: SessionThumbLinks): ImageInfo[] => {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const order = (seen.get(row.series_id) ?? 0) + 1;
    seen.set(row.series_id, order);
    return imageInfoOf(row, order, links);
  });
};
