import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import type { PatientRow } from '../db/stores/patients.ts';
import type { Imaging, PictureIdentity } from '../dicom/imaging.ts';
import { derivedUid } from './derived-uid.ts';

const vlPhotographic = '1.2.840.10008.5.1.4.1.1.77.1.4';
/** A person name component group holds at most 64 characters (PS3.5 6.2). */
const longestName = 64;

const nameOf = (patient: PatientRow): string => {
  const [family = '', given = ''] = [patient.last_name, patient.first_name].map((part) =>
    part.replace(/[\\^=]/g, ' ').trim(),
  );
  return `${family.slice(0, longestName - 2)}^${given}`.slice(0, longestName);
};

const localDate = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

const identityOf = (
  patient: PatientRow,
  task: { readonly id: string; readonly created_at: Date },
  sha256: string,
  modality: 'XC' | 'OT',
): PictureIdentity => {
  const studyUid = derivedUid('study', task.id);
  return {
    patient: { id: patient.personal_number, name: nameOf(patient), birthDate: patient.birth_date, sex: patient.sex },
    study: {
      instanceUid: studyUid,
      id: null,
      date: localDate(task.created_at),
      time: null,
      description: null,
      accessionNumber: null,
    },
    series: {
      instanceUid: derivedUid('series', `${studyUid} ${modality}`),
      number: null,
      modality,
      description: null,
    },
    instance: {
      sopInstanceUid: derivedUid('sop-instance', `${sha256} ${patient.id}`),
      number: null,
      acquiredDate: null,
      acquiredTime: null,
    },
  };
};

/**
 * The DICOM object of a jpg or png of the chosen patient. A colour picture is a photograph (modality XC, as its SOP class demands), a grey
 * one anything (OT). The identifiers follow from picture, patient and task, so doing it again gives the same object.
 * @throws DicomProblem
 */
export const makePictureObject = async (
  imaging: Imaging,
  path: string,
  patient: PatientRow,
  task: { readonly id: string; readonly created_at: Date },
  sha256: string,
): Promise<Uint8Array> => {
  const photograph = await imaging.pictureToDicom(path, identityOf(patient, task, sha256, 'XC'));
  const { dataSet } = readDicomFile(photograph, { stopAtPixelData: true });
  if (dataSet.code(tags.sopClassUid) === vlPhotographic) return photograph;
  return imaging.pictureToDicom(path, identityOf(patient, task, sha256, 'OT'));
};
