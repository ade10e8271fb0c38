import type { DataSet } from '../../dicom/write/data-set.ts';
import type { PictureIdentity } from './picture-identity.ts';

export const dicomDate = (iso: string | null) => iso?.replaceAll('-', '') ?? null;
export const dicomTime = (iso: string | null) => iso?.replaceAll(':', '') ?? null;

/** Patient, study, series and instance of an object that is made of another file. */
export const identityAttributes = ({ patient, study, series, instance }: PictureIdentity): DataSet => ({
  SOPInstanceUID: instance.sopInstanceUid,
  StudyDate: dicomDate(study.date),
  StudyTime: dicomTime(study.time),
  ContentDate: dicomDate(instance.acquiredDate),
  ContentTime: dicomTime(instance.acquiredTime),
  AccessionNumber: study.accessionNumber,
  Modality: series.modality,
  StudyDescription: study.description,
  SeriesDescription: series.description,
  ReferringPhysicianName: null,
  PatientName: patient.name,
  PatientID: patient.id,
  PatientBirthDate: dicomDate(patient.birthDate),
  PatientSex: patient.sex,
  StudyInstanceUID: study.instanceUid,
  SeriesInstanceUID: series.instanceUid,
  StudyID: study.id,
  SeriesNumber: series.number,
  InstanceNumber: instance.number,
});

/** The VL Image module has a Content Time with a value or none (PS3.3 C.8.12.1), unlike the General Image module. */
export const contentTimeIfKnown = ({ acquiredTime }: PictureIdentity['instance']): DataSet =>
  acquiredTime === null ? { ContentTime: undefined } : {};
