import type { DirectoryKeys } from '../directory-keys.ts';
import type { DataSet } from '../write/data-set.ts';
import type { ImageReference } from './model.ts';

/** What an object of a series of presentations says of itself. */
export interface ObjectIdentity {
  readonly sopInstanceUid: string;
  readonly seriesUid: string;
  readonly seriesNumber: number;
  readonly seriesDescription: string;
  readonly number: number;
  readonly createdAt: Date;
  readonly description: string;
}

/** Patient and study of an object, as an image of it has them. */
export type Owner = Pick<DirectoryKeys, 'patient' | 'study'>;

/** Returns text for a value of one line, cut to the length of its VR. */
export const lineOf = (text: string, length: number): string =>
  [...text.replace(/[\p{Cc}\\]/gu, ' ')].slice(0, length).join('').trim();

const two = (value: number): string => String(value).padStart(2, '0');

/** Date and time in UTC, and the offset that says so. */
const momentOf = (at: Date) => ({
  date: at.toISOString().slice(0, 10).replaceAll('-', ''),
  time: `${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}`,
});

/** Returns the elements of patient, study, series, equipment and content identification (PS3.3 C.7, C.10.9). */
export const commonElements = ({ patient, study }: Owner, sopClassUid: string, object: ObjectIdentity): DataSet => {
  const { date, time } = momentOf(object.createdAt);
  return {
    SOPClassUID: sopClassUid,
    SOPInstanceUID: object.sopInstanceUid,
    InstanceCreationDate: date,
    InstanceCreationTime: time,
    StudyDate: study.date,
    StudyTime: study.time,
    AccessionNumber: study.accessionNumber,
    ReferringPhysicianName: null,
    StudyDescription: study.description ?? undefined,
    StudyInstanceUID: study.uid,
    StudyID: study.id,
    PatientName: patient.name,
    PatientID: patient.id,
    PatientBirthDate: patient.birthDate,
    PatientSex: patient.sex !== null && ['M', 'F', 'O'].includes(patient.sex) ? patient.sex : null,
    Modality: 'PR',
    SeriesInstanceUID: object.seriesUid,
    SeriesNumber: object.seriesNumber,
    SeriesDescription: lineOf(object.seriesDescription, 64),
    Laterality: null,
    Manufacturer: 'Dentarium',
    ManufacturerModelName: 'Dentarium',
    DeviceSerialNumber: '1',
    SoftwareVersions: '1',
    InstanceNumber: object.number,
    ContentLabel: 'DENTARIUM',
    ContentDescription: lineOf(object.description, 64),
    PresentationCreationDate: date,
    PresentationCreationTime: time,
    ContentCreatorName: null,
  };
};

const referenceOf = ({ sopClassUid, sopInstanceUid }: ImageReference): DataSet => ({
  ReferencedSOPClassUID: sopClassUid,
  ReferencedSOPInstanceUID: sopInstanceUid,
});

/** Returns an item of a Referenced Image Sequence. */
export const imageItem = (reference: ImageReference, frame?: number): DataSet => ({
  ...referenceOf(reference),
  ReferencedFrameNumber: frame,
});

/** Returns the items of the Referenced Series Sequence of a presentation state, or of the record of a presentation. */
export const imageSeriesItems = (images: readonly ImageReference[]): DataSet[] =>
  [...Map.groupBy(images, ({ seriesUid }) => seriesUid)].map(([seriesUid, group]) => ({
    SeriesInstanceUID: seriesUid,
    ReferencedImageSequence: group.map(referenceOf),
  }));

const instanceItems = (references: Iterable<ImageReference>): DataSet[] =>
  [...Map.groupBy(references, ({ seriesUid }) => seriesUid)].map(([seriesUid, group]) => ({
    SeriesInstanceUID: seriesUid,
    ReferencedInstanceSequence: group.map(referenceOf),
  }));

const filled = (items: DataSet[]): DataSet[] | undefined => (items.length > 0 ? items : undefined);

/** Returns the elements that list the objects to which one of a study refers, each once (PS3.3 C.12.2). */
export const referenceElements = (studyUid: string, references: readonly ImageReference[]): DataSet => {
  const unique = [...new Map(references.map((one) => [one.sopInstanceUid, one])).values()];
  const others = Map.groupBy(
    unique.filter((one) => one.studyUid !== studyUid),
    (one) => one.studyUid,
  );
  return {
    ReferencedSeriesSequence: filled(instanceItems(unique.filter((one) => one.studyUid === studyUid))),
    StudiesContainingOtherReferencedInstancesSequence: filled(
      [...others].map(([uid, group]) => ({ StudyInstanceUID: uid, ReferencedSeriesSequence: instanceItems(group) })),
    ),
  };
};
