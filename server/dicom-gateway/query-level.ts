import type { DataSet } from '../../dicom/data-set.ts';
import { tags } from '../../dicom/tags.ts';
import type { DicomWebLevel } from '../db/stores/dicomweb-keys.ts';
import { statuses } from '../dimse/message/message.ts';
import { RequestRefused } from '../dimse/provider/services.ts';

export const queryRetrieveLevel = 0x00080052;

const levels: Readonly<Record<string, DicomWebLevel>> = { STUDY: 'study', SERIES: 'series', IMAGE: 'instance' };
/** Unique keys above a level, which an identifier must have (PS3.4 C.4.1.2.1). */
const keysAbove: Readonly<Record<DicomWebLevel, readonly number[]>> = {
  study: [],
  series: [tags.studyInstanceUid],
  instance: [tags.studyInstanceUid, tags.seriesInstanceUid],
};

/** Returns the level of a query or retrieval. @throws RequestRefused for another one, and without the unique keys above it */
export const levelOf = (identifier: DataSet): DicomWebLevel => {
  const level = levels[identifier.code(queryRetrieveLevel) ?? ''];
  if (!level) throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The level is not STUDY, SERIES or IMAGE');
  if (keysAbove[level].some((tag) => identifier.codes(tag).filter(Boolean).length !== 1))
    throw new RequestRefused(statuses.dataSetDoesNotMatch, 'A unique key above the level is missing');
  return level;
};

/** Returns a value that the database can compare. @throws RequestRefused for one with NUL inside */
export const soundValue = (value: string): string => {
  if (!value.includes('\0')) return value;
  throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The value of a key is none of its kind');
};
