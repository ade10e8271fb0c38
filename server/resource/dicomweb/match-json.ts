import type { DicomJson, JsonAttribute, JsonValue } from '../../../dicom/dicom-json.ts';
import type { DicomWebLevel } from '../../db/stores/dicomweb-keys.ts';
import type { DicomWebMatch } from '../../db/stores/dicomweb-search.ts';
import { placeOf } from './dependencies.ts';

/** Returns an attribute, empty without values. */
export const attribute = (vr: string, ...values: readonly JsonValue[]): JsonAttribute => {
  const given = values.filter((value) => value !== null && value !== '');
  return given.length === 0 ? { vr } : { vr, Value: given };
};

const dicomDate = (day: string | null): string | null => day?.replaceAll('-', '') ?? null;

type OfPatient = Pick<DicomWebMatch, 'personal_number' | 'first_name' | 'last_name' | 'birth_date' | 'sex'>;

/** Returns the patient as the records have them. */
export const patientJson = (row: OfPatient): DicomJson => {
  const name = [row.last_name, row.first_name].join('^').replace(/\^$/, '');
  return {
    '00100010': attribute('PN', name === '' ? null : { Alphabetic: name }),
    '00100020': attribute('LO', row.personal_number),
    '00100030': attribute('DA', dicomDate(row.birth_date)),
    '00100040': attribute('CS', row.sex),
  };
};

type OfStudy = Pick<DicomWebMatch, 'study_uid' | 'study_date' | 'description' | 'accession_number'>;

/** Returns the study as the records have it. */
export const studyJson = (row: OfStudy): DicomJson => ({
  '00080020': attribute('DA', dicomDate(row.study_date)),
  '00080050': attribute('SH', row.accession_number),
  '00081030': attribute('LO', row.description),
  '0020000D': attribute('UI', row.study_uid),
});

/** Attributes of the file that a level returns, with the VR of an empty one. */
const statedAt: Readonly<Record<DicomWebLevel, Readonly<Record<string, string>>>> = {
  study: { '00080030': 'TM', '00080090': 'PN', '00200010': 'SH' },
  series: { '00080021': 'DA', '00080031': 'TM', '00180015': 'CS', '00400244': 'DA', '00400245': 'TM' },
  instance: { '00080008': 'CS', '00080023': 'DA', '00080033': 'TM', '00280100': 'US' },
};

const stated = ({ attributes }: DicomWebMatch, level: DicomWebLevel): DicomJson =>
  Object.fromEntries(Object.entries(statedAt[level]).map(([tag, vr]) => [tag, attributes?.[tag] ?? { vr }]));

const sorted = (json: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(json).toSorted(([one], [other]) => (one < other ? -1 : 1)));

const ofSeries = (row: DicomWebMatch): DicomJson => ({
  ...stated(row, 'series'),
  '00080060': attribute('CS', row.modality),
  '0008103E': attribute('LO', row.series_description),
  '0020000E': attribute('UI', row.series_uid),
  '00200011': attribute('IS', row.series_number),
  '00201209': attribute('IS', row.series_instances),
});

const ofInstance = (row: DicomWebMatch): DicomJson => {
  const pixels: DicomJson = row.is_image
    ? {
        '00280008': attribute('IS', row.frames),
        '00280010': attribute('US', row.rows),
        '00280011': attribute('US', row.columns),
      }
    : {};
  return {
    ...stated(row, 'instance'),
    ...pixels,
    '00080016': attribute('UI', row.sop_class_uid),
    '00080018': attribute('UI', row.sop_instance_uid),
    '00200013': attribute('IS', row.number),
  };
};

/** Returns a match as a search replies it (PS3.18 10.6.3.3). `root` is the address of the clinic's services. */
export const matchJson = (row: DicomWebMatch, level: DicomWebLevel, root: string): DicomJson => {
  const address = `${root}${placeOf(row.study_uid, row.series_uid, row.sop_instance_uid)}`;
  return sorted({
    ...stated(row, 'study'),
    ...studyJson(row),
    ...patientJson(row),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080056': attribute('CS', 'ONLINE'),
    '00080061': attribute('CS', ...row.modalities),
    '00081190': attribute('UR', address),
    '00201206': attribute('IS', row.study_series),
    '00201208': attribute('IS', row.study_instances),
    ...(level === 'study' ? {} : ofSeries(row)),
    ...(level === 'instance' ? ofInstance(row) : {}),
  });
};
