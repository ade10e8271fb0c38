import type { DicomJson } from '../../../dicom/dicom-json.ts';
import type { DicomFile } from '../../../dicom/file.ts';
import { tags } from '../../../dicom/tags.ts';
import type { NewValue } from '../../../dicom/write/replace-elements.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { searchKey } from '../../domain/search-key.ts';
import { attribute, patientJson, studyJson } from './match-json.ts';

const patientGroup = 0x0010;

const numberOf = (text: string | null): string => searchKey(text ?? '').replaceAll(' ', '');

/** Returns whether a file states the number of the patient, with or without its century. */
const isOfPatient = (stated: string | null, { personal_number }: DicomWebImageRow): boolean => {
  const [number, recorded] = [numberOf(stated), numberOf(personal_number)];
  return number === recorded || (number.length >= 10 && recorded.endsWith(number));
};

const statedId = (file: DicomJson): string | null => {
  const [id] = file['00100020']?.Value ?? [];
  return typeof id === 'string' ? id : null;
};

/** Returns the attributes of a file with patient and study as the records have them: a corrected or moved image shows its patient. */
export const asRecorded = (file: DicomJson, row: DicomWebImageRow): DicomJson => {
  const others = isOfPatient(statedId(file), row)
    ? file
    : Object.fromEntries(Object.entries(file).filter(([tag]) => !tag.startsWith('0010')));
  const recorded = {
    ...patientJson(row),
    ...studyJson(row),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080016': attribute('UI', row.sop_class_uid),
    '00080018': attribute('UI', row.sop_instance_uid),
    '0020000E': attribute('UI', row.series_uid),
  };
  const all = Object.entries({ ...others, ...recorded });
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

const patientChanges = ({ dataSet }: DicomFile, row: DicomWebImageRow): [number, NewValue][] => {
  const removed = [...dataSet.elements.keys()].filter((tag) => tag >>> 16 === patientGroup);
  const recorded = Object.entries(patientJson(row)).map(([tag, { vr, Value }]): [number, NewValue] => {
    const [value] = Value ?? [];
    const text = vr === 'PN' && typeof value === 'object' && value ? String(value.Alphabetic) : value;
    return [Number.parseInt(tag, 16), { vr, text: typeof text === 'string' ? text : null }];
  });
  return [...removed.map((tag): [number, NewValue] => [tag, 'removed']), ...recorded];
};

/** Group lengths, which nothing reads, would be wrong. */
const groupLengths = [0x00080000, 0x00100000, 0x00200000];

/**
 * Returns what an object must not leave with: another patient, study or series than the records have, because it was corrected or moved. Null: it
 * leaves byte for byte.
 */
export const correctionsOf = (file: DicomFile, row: DicomWebImageRow): ReadonlyMap<number, NewValue> | null => {
  const { dataSet } = file;
  const changes = new Map<number, NewValue>();
  if (!isOfPatient(dataSet.text(tags.patientId), row))
    for (const [tag, change] of patientChanges(file, row)) changes.set(tag, change);
  const uids = [
    [tags.studyInstanceUid, row.study_uid],
    [tags.seriesInstanceUid, row.series_uid],
  ] as const;
  for (const [tag, uid] of uids) if (dataSet.code(tag) !== uid) changes.set(tag, { vr: 'UI', text: uid });
  if (changes.size === 0) return null;
  for (const tag of groupLengths) if (dataSet.elements.has(tag)) changes.set(tag, 'removed');
  return changes;
};
