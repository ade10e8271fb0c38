import type { DataSet } from './data-set.ts';
import { isoDate, isoTime } from './date-time.ts';
import type { DicomFile } from './file.ts';
import { DicomProblem } from './problem.ts';
import { tags } from './tags.ts';

/** What a DICOMDIR repeats of an image file (PS3.3 F.5). Null: the file does not say. */
export interface DirectoryKeys {
  readonly patient: {
    readonly id: string | null;
    readonly name: string | null;
    /** YYYYMMDD */
    readonly birthDate: string | null;
    readonly sex: string | null;
  };
  readonly study: {
    readonly uid: string;
    readonly id: string | null;
    /** YYYYMMDD */
    readonly date: string | null;
    /** HHMMSS */
    readonly time: string | null;
    readonly description: string | null;
    readonly accessionNumber: string | null;
  };
  readonly series: { readonly uid: string; readonly modality: string | null; readonly number: number | null };
  readonly image: {
    readonly sopClassUid: string;
    readonly sopInstanceUid: string;
    readonly transferSyntaxUid: string;
    readonly number: number | null;
  };
}

/** Returns the text without what a value of one line must not hold, cut to the length of its VR. */
const line = (dataSet: DataSet, tag: number, length: number): string | null => {
  const text = dataSet.text(tag)?.replace(/[\p{Cc}\\]/gu, ' ');
  return text ? [...text].slice(0, length).join('').trim() || null : null;
};

const code = (dataSet: DataSet, tag: number): string | null => {
  const value = dataSet.code(tag);
  return value !== null && /^[A-Z0-9 _]{1,16}$/.test(value) ? value : null;
};

const integer = (dataSet: DataSet, tag: number): number | null => {
  const value = dataSet.number(tag, 'IS');
  return value !== null && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
};

const valid = (value: string | null, name: string): string => {
  if (value === null || value.length > 64 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$/.test(value)) {
    throw new DicomProblem('malformed', `the file has no valid ${name}`);
  }
  return value;
};

const uid = (dataSet: DataSet, tag: number, name: string): string => valid(dataSet.code(tag), name);

const day = (dataSet: DataSet, tag: number) => isoDate(dataSet.code(tag))?.replaceAll('-', '') ?? null;

/** Returns the keys of an image file for a DICOMDIR. @throws DicomProblem 'malformed' when a UID is missing or invalid */
export const directoryKeysOf = ({ dataSet, transferSyntaxUid }: DicomFile): DirectoryKeys => ({
  patient: {
    id: line(dataSet, tags.patientId, 64),
    name: line(dataSet, tags.patientName, 194),
    birthDate: day(dataSet, tags.patientBirthDate),
    sex: code(dataSet, tags.patientSex),
  },
  study: {
    uid: uid(dataSet, tags.studyInstanceUid, 'Study Instance UID'),
    id: line(dataSet, tags.studyId, 16),
    date: day(dataSet, tags.studyDate),
    time: isoTime(dataSet.code(tags.studyTime))?.replaceAll(':', '') ?? null,
    description: line(dataSet, tags.studyDescription, 64),
    accessionNumber: line(dataSet, tags.accessionNumber, 16),
  },
  series: {
    uid: uid(dataSet, tags.seriesInstanceUid, 'Series Instance UID'),
    modality: code(dataSet, tags.modality),
    number: integer(dataSet, tags.seriesNumber),
  },
  image: {
    sopClassUid: uid(dataSet, tags.sopClassUid, 'SOP Class UID'),
    sopInstanceUid: uid(dataSet, tags.sopInstanceUid, 'SOP Instance UID'),
    transferSyntaxUid: valid(transferSyntaxUid, 'Transfer Syntax UID'),
    number: integer(dataSet, tags.instanceNumber),
  },
});
