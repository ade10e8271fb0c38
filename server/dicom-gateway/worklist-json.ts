import type { DicomJson } from '../../dicom/dicom-json.ts';
import type { WorklistKey, WorklistRow } from '../db/stores/worklist.ts';
import { attribute, patientJson } from '../resource/dicomweb/match-json.ts';

export const stepSequence = '00400100';

/** Matched attributes outside and inside the sequence of scheduled procedure steps. */
export const orderKeys: Readonly<Record<string, WorklistKey>> = {
  '00100010': 'patientName',
  '00100020': 'patientId',
  '00080050': 'accessionNumber',
  '00401001': 'requestedProcedureId',
  '0020000D': 'studyInstanceUid',
};
export const stepKeys: Readonly<Record<string, WorklistKey>> = {
  '00400001': 'stationAeTitle',
  '00400002': 'startDate',
  '00400003': 'startTime',
  '00080060': 'modality',
  '00400009': 'stepId',
};

const stepJson = (row: WorklistRow, callingTitle: string): DicomJson => ({
  '00080060': attribute('CS', row.modality),
  '00400001': attribute('AE', row.station_title ?? callingTitle),
  '00400002': attribute('DA', row.scheduled_day.replaceAll('-', '')),
  '00400003': attribute('TM', `${row.scheduled_time.replace(':', '')}00`),
  '00400007': attribute('LO', row.procedure_text),
  '00400009': attribute('SH', row.accession_number),
  '00400010': attribute('SH', row.station_name?.slice(0, 16) ?? null),
  '00400020': attribute('CS', row.status === 'scheduled' ? 'SCHEDULED' : 'STARTED'),
  '00400400': attribute('LT', row.comment),
});

/** Returns an order as the worklist replies it (PS3.4 table K.6-1). */
export const worklistJson = (row: WorklistRow, callingTitle: string): DicomJson => ({
  ...patientJson(row),
  '00080050': attribute('SH', row.accession_number),
  '0020000D': attribute('UI', row.study_uid),
  '00321060': attribute('LO', row.procedure_text),
  '00401001': attribute('SH', row.accession_number),
  [stepSequence]: attribute('SQ', stepJson(row, callingTitle)),
});
