import { pixelEncodings } from '../dicom/transfer-syntax.ts';
import { TAGS } from '../dicom/write/tags.ts';
import type { DicomWebMatch } from '../server/db/stores/dicomweb-search.ts';
import { frameFormFor } from '../server/resource/dicomweb/frame-form.ts';
import { matchJson, patientJson } from '../server/resource/dicomweb/match-json.ts';
import { tagOfKeyword } from '../server/resource/dicomweb/search-query.ts';
import { failureReasons } from '../server/resource/dicomweb/store-object.ts';
import { list, type Row, table, tagText } from './conformance-objects.ts';

const match: DicomWebMatch = {
  patient_id: '',
  study_id: '',
  personal_number: '',
  first_name: '',
  last_name: '',
  birth_date: null,
  sex: null,
  study_uid: '',
  study_date: null,
  description: '',
  accession_number: null,
  modalities: [],
  study_series: 0,
  study_instances: 0,
  series_uid: '',
  modality: null,
  series_number: null,
  series_description: null,
  series_instances: 0,
  sop_instance_uid: '',
  sop_class_uid: '',
  number: null,
  rows: 1,
  columns: 1,
  frames: 1,
  is_image: true,
  attributes: null,
};

/** Attributes that this program neither writes nor matches (PS3.6). */
const otherNames: Readonly<Record<string, string>> = {
  '00080056': 'InstanceAvailability',
  '00081190': 'RetrieveURL',
  '00201206': 'NumberOfStudyRelatedSeries',
  '00201208': 'NumberOfStudyRelatedInstances',
  '00201209': 'NumberOfSeriesRelatedInstances',
};
const names = new Map<string, string>([
  ...Object.entries(otherNames),
  ...Object.entries(tagOfKeyword).map(([keyword, tag]) => [tag, keyword] as const),
  ...Object.entries(TAGS).map(
    ([keyword, [tag]]) => [tag.toString(16).toUpperCase().padStart(8, '0'), keyword] as const,
  ),
]);
const nameOf = (tag: string): string => {
  const name = names.get(tag);
  if (!name) throw new Error(`${tag} has no name here`);
  return name;
};

const tagsAt = (level: 'study' | 'series' | 'instance'): readonly string[] => Object.keys(matchJson(match, level, ''));

/** The attributes of each level; those of a level are in the replies of the levels below. */
const returnedAttributes = (): string => {
  const [study, series, instance] = [tagsAt('study'), tagsAt('series'), tagsAt('instance')];
  const rowsOf = (level: string, found: readonly string[], above: readonly string[]) =>
    found
      .filter((tag) => !above.includes(tag))
      .map((tag): Row => [level, nameOf(tag), tagText(Number.parseInt(tag, 16))]);
  return table(
    ['level', 'attribute', 'tag'],
    [...rowsOf('study', study, []), ...rowsOf('series', series, study), ...rowsOf('instance', instance, series)],
  );
};

/** The media type of stored frames, of each transfer syntax. */
const frameMediaTypes = (): readonly string[] => {
  const stored = { type: 'multipart/related', partType: null, transferSyntax: '*', quality: 1 };
  return [...new Set(Object.keys(pixelEncodings).flatMap((uid) => frameFormFor(uid, 1)(stored)?.mediaType ?? []))];
};

const hex = (reason: number): string => reason.toString(16).toUpperCase().padStart(4, '0');

/** What searches return, media types and statuses. */
export const repliesOfDicomWeb =
  (): string => `Searches return these attributes, whatever \`includefield\` names; a level has those of the levels above. C-FIND returns the requested ones of
them, with Query/Retrieve Level ${tagText(0x00080052)} and Retrieve AE Title ${tagText(0x00080054)}; every other requested attribute is empty.

${returnedAttributes()}

${table(
  ['service', 'media types of replies'],
  [
    ['QIDO-RS, metadata', list(['application/dicom+json', 'application/json'])],
    ['objects', list(['multipart/related; type="application/dicom"', 'application/dicom'])],
    ['frames and pixel data', list([...frameMediaTypes()])],
    ['other bulk data', list(['application/octet-stream'])],
    ['rendered pictures', list(['image/jpeg', 'image/png'])],
    ['thumbnails', list(['image/jpeg'])],
    ['STOW-RS', list(['application/dicom+json', 'application/dicom+xml'])],
  ],
)}

${table(
  ['status', 'meaning'],
  [
    ['200', 'success; a search without matches is an empty list'],
    ['202', 'STOW-RS: some objects were stored'],
    ['206', 'a range of bytes; objects or pictures of which damaged ones are left out'],
    ['304', 'an object that the client has (ETag)'],
    ['400', 'a key or parameter has a value that is none of its kind'],
    ['401, 403', 'no valid token; no right'],
    ['404', 'no such resource in this clinic'],
    ['406', 'no media type or transfer syntax that the client accepts'],
    ['409', 'STOW-RS: no object was stored'],
    ['415', 'STOW-RS: another media type of the request'],
    ['416', 'a range outside the object'],
    ['422', 'an object without pixels, or that cannot be read; too many parts of a request'],
    ['429', 'too many requests'],
    ['503', 'the database or the files are not available'],
  ],
)}

Failure Reason ${tagText(0x00081197)} of STOW-RS:

${table(
  ['reason', 'meaning'],
  [
    [hex(failureReasons.outOfResources), 'no space, or larger than the limit'],
    [hex(failureReasons.otherStudy), 'of another study than the address'],
    [hex(failureReasons.notUnderstood), 'no DICOM file, or without the UIDs that every object has'],
    [hex(failureReasons.processing), 'the archive cannot store it, or has other bytes under its SOP Instance UID'],
  ],
)}`;

const recorded = { personal_number: '', first_name: '', last_name: '', birth_date: null, sex: null };

/** What leaving objects have from the records. */
export const coercion = (): string => `## Coercion

A received object is stored unchanged. An object that leaves by DICOMweb, C-MOVE or C-GET, or is sent to a device, is byte for byte the stored one, unless a user has corrected or moved it:

- Study and Series Instance UID are those of the records where the object states others.
- Where Patient ID is not the personal number of the records, with or without its century, all elements of group 0010 are removed, and these are written from
  the records: ${Object.keys(patientJson(recorded))
    .map((tag) => `${nameOf(tag)} ${tagText(Number.parseInt(tag, 16))}`)
    .join(', ')}.
- Text is in the character set of the object; what it lacks loses its marks, or becomes a question mark. An object that names none gets ISO_IR 100 or ISO_IR 192 where the
  new texts need it.
- Group lengths of the groups 0008, 0010 and 0020 are removed. All else is kept: SOP Instance UID, file meta information, pixels, private elements.

Metadata of DICOMweb always have patient and study of the records. Original Attributes Sequence is not written.`;
