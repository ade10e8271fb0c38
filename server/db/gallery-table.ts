import type { Moment } from './column-types.ts';

/**
 * The images that are shown, with what lists of them are sorted and searched by; one row for each image of which nothing lies in the recycle bin.
 * Triggers keep it equal to the view `gallery_source` (migration 017): nothing else writes here.
 */
export interface GalleryImageTable {
  image_id: string;
  customer_id: string;
  patient_id: string;
  /** Name as lists are sorted by. */
  patient_key: string;
  /** When it was taken, ISO 8601 as far as it is known; the day of the study, else empty. */
  shown_at: string;
  modality: string;
  source: 'dicom' | 'picture';
  teeth: number[];
  size_bytes: number;
  created_at: Moment;
  search_text: string;
}
