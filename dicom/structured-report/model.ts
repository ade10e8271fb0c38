import type { ImageReference } from '../display-objects/model.ts';
import type { Measured } from '../measurement.ts';
import type { Quantity } from './codes.ts';

/** Comprehensive SR Storage. */
export const comprehensiveReportClass = '1.2.840.10008.5.1.4.1.1.88.33';

/** Who wrote something, and when. */
export interface Observer {
  readonly name: string;
  readonly at: Date;
}

export interface ReportImage {
  readonly reference: ImageReference;
  readonly modality: string | null;
}

/** A place in an image. `frame` from 1; null: the image has one frame. */
interface ImagePlace {
  readonly reference: ImageReference;
  readonly frame: number | null;
}

/** Lines in image pixels, 0, 0 is the top left corner of the first pixel (PS3.3 C.18.6.1.2). */
export interface ReportMeasurement extends ImagePlace {
  /** The same for the same mark in each report. */
  readonly trackingUid: string;
  readonly name: string;
  readonly quantity: Quantity;
  readonly value: number;
  readonly unit: Measured['unit'];
  readonly lines: readonly (readonly (readonly [number, number])[])[];
  /** The one line is the outline of a region; its last point is its first. */
  readonly isRegion: boolean;
  /** Where lengths come from, in English. */
  readonly scale: string | null;
  readonly observer: Observer | null;
}

export interface ReportComment {
  readonly text: string;
  readonly observer: Observer | null;
  readonly images: readonly ImageReference[];
  /** Null: of the images as a whole. */
  readonly point: (ImagePlace & { readonly at: readonly [number, number] }) | null;
}
