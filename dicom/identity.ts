import type { DataSet } from './data-set.ts';
import { isoDate, isoTime } from './date-time.ts';
import type { DicomFile } from './file.ts';
import { tags } from './tags.ts';
import { readTeeth } from './teeth.ts';
import { personNameGroups } from './text.ts';

export interface PatientSummary {
  readonly id: string | null;
  /** As written: "Family^Given^Middle^Prefix^Suffix", with `=` before an ideographic and a phonetic group. The parts of the alphabetic one follow. */
  readonly name: string | null;
  readonly familyName: string | null;
  readonly givenName: string | null;
  readonly middleName: string | null;
  /** YYYY-MM-DD */
  readonly birthDate: string | null;
  readonly sex: 'M' | 'F' | 'O' | null;
  readonly comments: string | null;
}

/** Identifying and descriptive attributes of an object for an import. Empty values are null. */
export interface DicomSummary {
  readonly patient: PatientSummary;
  readonly study: {
    readonly instanceUid: string | null;
    readonly id: string | null;
    readonly date: string | null;
    /** HH:MM:SS */
    readonly time: string | null;
    readonly description: string | null;
    readonly accessionNumber: string | null;
  };
  readonly series: {
    readonly instanceUid: string | null;
    readonly number: number | null;
    readonly modality: string | null;
    readonly description: string | null;
  };
  readonly instance: {
    readonly sopInstanceUid: string | null;
    readonly sopClassUid: string | null;
    readonly number: number | null;
    readonly comments: string | null;
    /** Date and time of the picture: acquisition, else content, series, study. */
    readonly acquiredDate: string | null;
    readonly acquiredTime: string | null;
    /** L, R, B (both, or the midline) or U. */
    readonly laterality: string | null;
    /** Meaning of the anatomic region, else Body Part Examined. */
    readonly anatomicRegion: string | null;
    /** ISO 3950 numbers. */
    readonly teeth: readonly number[];
  };
  readonly equipment: {
    readonly manufacturer: string | null;
    readonly model: string | null;
    readonly institution: string | null;
    /** Detector Description, else Detector Type. */
    readonly detector: string | null;
  };
  readonly transferSyntaxUid: string;
}

const patientOf = (dataSet: DataSet): PatientSummary => {
  const { alphabetic, ideographic, phonetic } = personNameGroups(dataSet.text(tags.patientName) ?? '');
  const name = [alphabetic, ideographic, phonetic].join('=').replace(/=+$/, '');
  const [family, given, middle] = alphabetic.split('^').map((part) => part.trim());
  const sex = dataSet.code(tags.patientSex);
  return {
    id: dataSet.text(tags.patientId),
    name: /[^^= ]/.test(name) ? name : null,
    familyName: family || null,
    givenName: given || null,
    middleName: middle || null,
    birthDate: isoDate(dataSet.code(tags.patientBirthDate)),
    sex: sex === 'M' || sex === 'F' || sex === 'O' ? sex : null,
    comments: dataSet.text(tags.patientComments),
  };
};

const acquiredOf = (dataSet: DataSet): { acquiredDate: string | null; acquiredTime: string | null } => {
  const dateTime = dataSet.code(tags.acquisitionDateTime);
  const whole = isoDate(dateTime?.slice(0, 8) ?? null);
  if (dateTime && whole) return { acquiredDate: whole, acquiredTime: isoTime(dateTime.slice(8)) };
  for (const [date, time] of [
    [tags.acquisitionDate, tags.acquisitionTime],
    [tags.contentDate, tags.contentTime],
    [tags.seriesDate, tags.seriesTime],
    [tags.studyDate, tags.studyTime],
  ] as const) {
    const acquiredDate = isoDate(dataSet.code(date));
    if (acquiredDate) return { acquiredDate, acquiredTime: isoTime(dataSet.code(time)) };
  }
  return { acquiredDate: null, acquiredTime: null };
};

const regionOf = (dataSet: DataSet): string | null => {
  const [region] = dataSet.sequence(tags.anatomicRegionSequence);
  return region?.text(tags.codeMeaning) ?? dataSet.text(tags.bodyPartExamined);
};

/** The identifying and descriptive attributes of an object. @throws DicomProblem when a sequence is malformed */
export const summarise = ({ meta, dataSet, transferSyntaxUid }: DicomFile): DicomSummary => ({
  patient: patientOf(dataSet),
  study: {
    instanceUid: dataSet.code(tags.studyInstanceUid),
    id: dataSet.text(tags.studyId),
    date: isoDate(dataSet.code(tags.studyDate)),
    time: isoTime(dataSet.code(tags.studyTime)),
    description: dataSet.text(tags.studyDescription),
    accessionNumber: dataSet.text(tags.accessionNumber),
  },
  series: {
    instanceUid: dataSet.code(tags.seriesInstanceUid),
    number: dataSet.number(tags.seriesNumber, 'IS'),
    modality: dataSet.code(tags.modality),
    description: dataSet.text(tags.seriesDescription),
  },
  instance: {
    sopInstanceUid: dataSet.code(tags.sopInstanceUid) ?? meta?.code(tags.mediaStorageSopInstanceUid) ?? null,
    sopClassUid: dataSet.code(tags.sopClassUid) ?? meta?.code(tags.mediaStorageSopClassUid) ?? null,
    number: dataSet.number(tags.instanceNumber, 'IS'),
    comments: dataSet.text(tags.imageComments),
    ...acquiredOf(dataSet),
    laterality:
      dataSet.code(tags.imageLaterality) ?? dataSet.code(tags.frameLaterality) ?? dataSet.code(tags.laterality),
    anatomicRegion: regionOf(dataSet),
    teeth: readTeeth(dataSet),
  },
  equipment: {
    manufacturer: dataSet.text(tags.manufacturer),
    model: dataSet.text(tags.manufacturerModelName),
    institution: dataSet.text(tags.institutionName),
    detector: dataSet.text(tags.detectorDescription) ?? dataSet.code(tags.detectorType),
  },
  transferSyntaxUid,
});
