import { type Kysely, type RawBuilder, sql } from 'kysely';
import { searchKey } from '../../domain/search-key.ts';
import type { Schema } from '../schema.ts';
import type { DicomDeviceRow } from './dicom-devices.ts';
import { ofDay, ofPatientId, ofPatientName, ofText, ofTexts, ofTime, ofUids } from './dicomweb-matching.ts';
import { isListable } from './listable-patients.ts';
import { all } from './search-terms.ts';

/** Attributes that a query of the worklist matches (PS3.4 K.6.1.2.2). */
export const worklistKeys = [
  'patientName',
  'patientId',
  'accessionNumber',
  'requestedProcedureId',
  'studyInstanceUid',
  'stationAeTitle',
  'startDate',
  'startTime',
  'modality',
  'stepId',
] as const;
export type WorklistKey = (typeof worklistKeys)[number];

const accession = sql<string>`imaging_order.accession_number`;
const startTime = sql<string>`(replace(imaging_order.scheduled_time, ':', '') || '00')`;

const conditionOf = (device: DicomDeviceRow, key: WorklistKey, value: string): RawBuilder<boolean> => {
  switch (key) {
    case 'patientName':
      return ofPatientName(device.customerId, value).isMatch;
    case 'patientId':
      return ofPatientId(device.customerId, value).isMatch;
    case 'accessionNumber':
    case 'requestedProcedureId':
    case 'stepId':
      return ofText(accession, value);
    case 'studyInstanceUid':
      return ofUids(sql`imaging_order.study_uid`, value);
    case 'stationAeTitle':
      return ofText(sql`coalesce(station.ae_title, ${device.aeTitle})`, value);
    case 'startDate':
      return ofDay(sql`imaging_order.scheduled_day`, value);
    case 'startTime':
      return ofTime(startTime, value);
    case 'modality':
      return ofTexts(sql`imaging_order.modality`, value);
  }
};

/** As searches of studies: a patient with protected identity is found by a complete personal number, and by a study UID. */
const listable = (
  { customerId }: DicomDeviceRow,
  keys: ReadonlyMap<WorklistKey, string>,
): readonly RawBuilder<boolean>[] => {
  if (keys.has('studyInstanceUid')) return [];
  const number = searchKey(keys.get('patientId') ?? '').replaceAll(' ', '');
  return isListable(sql<string>`patient.id`, { customerId, seesProtected: false }, number === '' ? [] : [number]);
};

/**
 * Returns the open orders of the clinic of a device that match, in the order of their time; an order for any device is one for this device.
 * @throws ProblemError 'invalid-request' for a value that is none of its kind
 */
export const worklistOf = (
  db: Kysely<Schema>,
  device: DicomDeviceRow,
  keys: ReadonlyMap<WorklistKey, string>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) =>
  db
    .selectFrom('imaging_order')
    .innerJoin('patient', 'patient.id', 'imaging_order.patient_id')
    .leftJoin('dicom_device as station', 'station.id', 'imaging_order.device_id')
    .selectAll('imaging_order')
    .select(['patient.personal_number', 'patient.first_name', 'patient.last_name', 'patient.birth_date', 'patient.sex'])
    .select(['station.ae_title as station_title', 'station.name as station_name'])
    .where('imaging_order.customer_id', '=', device.customerId)
    .where('imaging_order.status', 'in', ['scheduled', 'in-progress'])
    .where('patient.deleted_at', 'is', null)
    .where(all([...listable(device, keys), ...[...keys].map(([key, value]) => conditionOf(device, key, value))]))
    .orderBy('imaging_order.scheduled_day')
    .orderBy('imaging_order.scheduled_time')
    .orderBy('imaging_order.id')
    .offset(offset)
    .limit(limit)
    .execute();

export type WorklistRow = Awaited<ReturnType<typeof worklistOf>>[number];
