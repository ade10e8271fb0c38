import type { GalleryImage, GalleryPage } from '../contract/gallery.ts';
import { countLimit } from '../contract/lists.ts';
import { idOf } from './views/records.ts';

/** An image of the gallery; three per patient. */
export const galleryImage = (number: number, changes: Partial<GalleryImage> = {}): GalleryImage => ({
  uid: idOf(number),
  sopInstanceUid: `1.2.3.${number}`,
  name: `Bitewing ${number}`,
  number,
  activeImageThumbLink: `/resource/thumbnail?imageUID=${idOf(number)}`,
  storageFault: null,
  patientId: idOf(500_000 + Math.floor(number / 3)),
  patientName: `Astrid Berg${Math.floor(number / 3)}`,
  personalNumber: '198001019804',
  protectedIdentity: false,
  studyId: idOf(600_000 + number),
  studyUid: `1.2.4.${number}`,
  studyDate: '2026-03-12',
  studyDescription: 'Recall',
  seriesUid: `1.2.5.${number}`,
  seriesModalityValue: 'IO',
  viewsetId: null,
  imageAcquiredDate: '2026-03-12T10:11:12',
  imageComment: null,
  imageCompression: 'none',
  imageFileName: `image${number}.dcm`,
  imageFileSize: 1_000_000,
  imageSensorType: null,
  imageTransferSyntax: '1.2.840.10008.1.2.1',
  source: 'dicom',
  uploadedAt: '2026-03-12T12:00:00.000Z',
  width: 1000,
  height: 800,
  frames: 1,
  teeth: [],
  laterality: null,
  grade: null,
  ...changes,
});

interface PageRequest {
  readonly page?: number;
  readonly ppage?: number;
  readonly after?: string;
}

/** Returns a page of `total` images, paged and counted like the server does. */
export const galleryPageOf = (
  total: number,
  { page = 1, ppage = 10, after }: PageRequest,
  imageAt: (number: number) => GalleryImage = galleryImage,
): GalleryPage => {
  const first = after === undefined ? (page - 1) * ppage : Number(after.replace('after ', ''));
  const size = Math.max(0, Math.min(ppage, total - first));
  return {
    data: Array.from({ length: size }, (_, place) => imageAt(first + place)),
    totalCount: Math.min(total, countLimit),
    isTotalExact: total <= countLimit,
    next: first + size < total ? `after ${first + size}` : null,
    facets: { modalities: ['IO', 'PX'] },
    notAcceptableCount: 0,
  };
};
