import { readDicomFile } from '../../../dicom/file.ts';
import { tags } from '../../../dicom/tags.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import type { FileToRead, Imaging, PictureIdentity } from '../../dicom/imaging.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import { fileKind } from './file-kind.ts';

const vlPhotographic = '1.2.840.10008.5.1.4.1.1.77.1.4';
/** A person name component group holds at most 64 characters (PS3.5 6.2). */
const maxNameLength = 64;

const nameOf = (patient: PatientRow): string => {
  const [family = '', given = ''] = [patient.last_name, patient.first_name].map((part) =>
    part.replace(/[\\^=]/g, ' ').trim(),
  );
  return `${family.slice(0, maxNameLength - 2)}^${given}`.slice(0, maxNameLength);
};

/** The study that a picture, PDF or video is imported into. */
export interface PictureTarget {
  /** Study Instance UID */
  readonly studyUid: string;
  /** YYYY-MM-DD */
  readonly studyDate: string | null;
  readonly studyDescription: string;
  /** Acquisition time, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`; null when unknown. */
  readonly acquiredAt: string | null;
}

const identityOf = (
  patient: PatientRow,
  { studyUid, studyDate, studyDescription, acquiredAt }: PictureTarget,
  sha256: string,
  modality: 'XC' | 'OT' | 'DOC',
): PictureIdentity => {
  const [acquiredDate = null, acquiredTime = null] = acquiredAt?.split('T') ?? [];
  return {
    patient: { id: patient.personal_number, name: nameOf(patient), birthDate: patient.birth_date, sex: patient.sex },
    study: {
      instanceUid: studyUid,
      id: null,
      date: studyDate,
      time: null,
      description: studyDescription || null,
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
      acquiredDate,
      acquiredTime,
    },
  };
};

/**
 * Makes the DICOM object of a picture, PDF or video. A video or colour picture is a photograph (modality XC, as its SOP class requires), a grey one OT.
 * Identifiers are derived from file, patient and study, so the result is reproducible.
 * @throws DicomProblem
 */
export const makeObject = async (
  imaging: Imaging,
  file: FileToRead,
  patient: PatientRow,
  target: PictureTarget,
  sha256: string,
): Promise<Uint8Array> => {
  const kind = await fileKind(file.path);
  if (kind === 'pdf') return imaging.pdfToDicom(file, identityOf(patient, target, sha256, 'DOC'));
  if (kind === 'video') return imaging.videoToDicom(file, identityOf(patient, target, sha256, 'XC'));
  const photograph = await imaging.pictureToDicom(file, identityOf(patient, target, sha256, 'XC'));
  const { dataSet } = readDicomFile(photograph, { stopAtPixelData: true });
  if (dataSet.code(tags.sopClassUid) === vlPhotographic) return photograph;
  return imaging.pictureToDicom(file, identityOf(patient, target, sha256, 'OT'));
};
