import type { RecordIds } from './record.ts';

/** Builds a request about the records of one clinic. */
export interface RequestInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** A DICOM file. */
  readonly dicom?: Uint8Array;
}

export interface Scene {
  /** A valid request if these records belong to the caller's clinic. */
  readonly requestOf: (ids: RecordIds) => RequestInput;
  /** Expected statuses for an authorized caller and the records of the own clinic. */
  readonly allowed?: readonly number[];
  /** Expected statuses without a token, where the route is open to anyone. */
  readonly open?: readonly number[];
  /** Names no records of a clinic: the same reply for all authorized callers. */
  readonly withoutRecords?: true;
}

export const nothing = (): RequestInput => ({});
export const byId = (id: keyof RecordIds, extra: Partial<Scene> = {}): Scene => ({
  requestOf: (ids) => ({ params: { id: ids[id] } }),
  ...extra,
});
