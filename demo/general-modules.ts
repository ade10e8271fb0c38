import type { DataSet } from '../dicom/write/data-set.ts';
import type { ImageIdentity } from './recipe.ts';

/** YYYY-MM-DDTHH:MM:SS to DICOM DA and TM. */
export const dateAndTime = (local: string): { date: string; time: string } => ({
  date: local.slice(0, 10).replaceAll('-', ''),
  time: local.slice(11, 19).replaceAll(':', ''),
});

/** Whole years between two dates, as a DICOM age string. */
const ageString = (birthDate: string, on: string): string => {
  const years = Number(on.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (on.slice(5, 10) < birthDate.slice(5) ? 1 : 0);
  return `${String(Math.max(0, years)).padStart(3, '0')}Y`;
};

/** Patient, General Study, General Series, General Equipment and General Image modules (DICOM PS3.3 C.7.1 to C.7.6.1). */
export const generalModules = (identity: ImageIdentity): DataSet => {
  const { patient, study, series, image } = identity;
  const started = dateAndTime(study.startedAt);
  const acquired = dateAndTime(image.acquiredAt);
  return {
    InstanceCreationDate: acquired.date,
    InstanceCreationTime: acquired.time,
    SOPInstanceUID: image.sopInstanceUid,
    StudyDate: started.date,
    SeriesDate: acquired.date,
    AcquisitionDate: acquired.date,
    ContentDate: acquired.date,
    StudyTime: started.time,
    SeriesTime: acquired.time,
    AcquisitionTime: acquired.time,
    ContentTime: acquired.time,
    AccessionNumber: study.accessionNumber,
    Manufacturer: 'Dentarium',
    InstitutionName: identity.institutionName,
    ReferringPhysicianName: null,
    StationName: 'DEMO',
    StudyDescription: study.description,
    SeriesDescription: series.description,
    ManufacturerModelName: 'Drawn radiograph',
    PatientName: `${patient.lastName}^${patient.firstName}`,
    PatientID: patient.patientId,
    PatientBirthDate: patient.birthDate.replaceAll('-', ''),
    PatientSex: patient.sex,
    PatientAge: ageString(patient.birthDate, image.acquiredAt),
    DeviceSerialNumber: 'DEMO-1',
    SoftwareVersions: '1',
    StudyInstanceUID: study.uid,
    SeriesInstanceUID: series.uid,
    StudyID: study.accessionNumber,
    SeriesNumber: series.number,
    InstanceNumber: image.number,
    ImageComments: image.comment === '' ? undefined : image.comment,
    BurnedInAnnotation: 'YES',
  };
};
