import type { Principal } from './policy/principal.ts';

/** The changed record and the account that changed it. */
export interface ChangedRecord {
  readonly principal: Pick<Principal, 'accountId'>;
  readonly customerId: string;
  readonly patientId: string;
}

export interface ViewsetVersion {
  readonly id: string;
  readonly version: number;
}

/** Published after the commit. Events that cannot be sent are lost; the tables hold the state. */
export interface RecordEvents {
  /** The patient's own data, or its studies, series and images changed. */
  patientChanged(record: ChangedRecord): Promise<void>;
  /** Orders of images of the patient changed. */
  ordersChanged(record: ChangedRecord): Promise<void>;
  /** The placement of images in these viewsets changed. */
  viewsetsChanged(record: ChangedRecord, viewsets: readonly ViewsetVersion[]): Promise<void>;
  /** Images of these viewsets, or their display, changed; the versions of the viewsets did not. */
  viewsetImagesChanged(record: ChangedRecord, viewsets: readonly ViewsetVersion[]): Promise<void>;
}
