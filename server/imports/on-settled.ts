import type { FileOutcome } from '../db/stores/import-outcomes.ts';

/** Called with files that were imported, found in the archive already, ignored or refused, once that is committed. */
export type OnSettled = (files: readonly Pick<FileOutcome, 'status'>[]) => void;
