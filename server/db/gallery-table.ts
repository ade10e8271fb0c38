import type { Moment } from './column-types.ts';

/**
 * Visible images with their sort and search columns; one row per image. Triggers keep it equal to the view `gallery_source` (migration 017):
 * nothing else writes here.
 */
export interface GalleryImageTable {
  image_id: string;
  customer_id: string;
  patient_id: string;
  /** Name in sort form. */
  patient_key: string;
  /** Acquisition time, ISO 8601 as far as known; else the study date, else empty. */
  shown_at: string;
  modality: string;
  source: 'dicom' | 'picture';
  teeth: number[];
  size_bytes: number;
  created_at: Moment;
  search_text: string;
}
