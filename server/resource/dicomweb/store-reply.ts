import type { DicomJson, JsonAttribute, JsonValue } from '../../../dicom/dicom-json.ts';
import { escapeHtml } from '../../web/escape-html.ts';
import type { MediaRange } from './accept.ts';
import { placeOf } from './dependencies.ts';
import { attribute } from './match-json.ts';
import type { StoreOutcome } from './store-object.ts';

/** Keywords of the attributes of the reply (PS3.6). */
const keywords: Readonly<Record<string, string>> = {
  '00081150': 'ReferencedSOPClassUID',
  '00081155': 'ReferencedSOPInstanceUID',
  '00081190': 'RetrieveURL',
  '00081197': 'FailureReason',
  '00081198': 'FailedSOPSequence',
  '00081199': 'ReferencedSOPSequence',
};

const sequence = (items: readonly DicomJson[]): JsonAttribute => ({ vr: 'SQ', Value: items });

const referenced = ({ uids }: StoreOutcome): DicomJson => ({
  '00081150': attribute('UI', uids?.sopClassUid ?? null),
  '00081155': attribute('UI', uids?.sopInstanceUid ?? null),
});

const studyUrl = (root: string, { uids }: StoreOutcome): string => `${root}${placeOf(uids?.studyInstanceUid ?? '')}`;

/** Without a series, which the archive derives when it reads the file, the study is named. */
const instanceUrl = (root: string, outcome: StoreOutcome): string => {
  const { studyInstanceUid, seriesInstanceUid, sopInstanceUid } = outcome.uids ?? {};
  if (!studyInstanceUid || !seriesInstanceUid) return studyUrl(root, outcome);
  return `${root}${placeOf(studyInstanceUid, seriesInstanceUid, sopInstanceUid ?? null)}`;
};

/** Returns the reply of a store request (PS3.18 10.5.3): what is stored, and what is refused with the reason. */
export const storeJson = (outcomes: readonly StoreOutcome[], root: string): DicomJson => {
  const stored = outcomes.filter(({ failure }) => failure === null);
  const failed = outcomes.filter(({ failure }) => failure !== null);
  const [study, ...others] = new Set(stored.map((outcome) => studyUrl(root, outcome)));
  const json: DicomJson = {};
  if (study !== undefined && others.length === 0) json['00081190'] = attribute('UR', study);
  if (failed.length > 0)
    json['00081198'] = sequence(
      failed.map((outcome) => ({ ...referenced(outcome), '00081197': attribute('US', outcome.failure) })),
    );
  if (stored.length > 0)
    json['00081199'] = sequence(
      stored.map((outcome) => ({ ...referenced(outcome), '00081190': attribute('UR', instanceUrl(root, outcome)) })),
    );
  return json;
};

/** 200 when all are stored, 409 when none is. */
export const storeStatus = (outcomes: readonly StoreOutcome[]): 200 | 202 | 409 => {
  if (outcomes.every(({ failure }) => failure === null)) return 200;
  return outcomes.some(({ failure }) => failure === null) ? 202 : 409;
};

const isItem = (value: JsonValue): value is DicomJson => typeof value === 'object' && value !== null;

const valueXml = (value: JsonValue, number: number): string =>
  isItem(value)
    ? `<Item number="${number}">${attributesXml(value as DicomJson)}</Item>`
    : `<Value number="${number}">${escapeHtml(String(value))}</Value>`;

const attributesXml = (json: DicomJson): string =>
  Object.entries(json)
    .map(([tag, { vr, Value = [] }]) => {
      const values = Value.map((value, index) => valueXml(value, index + 1)).join('');
      return `<DicomAttribute tag="${tag}" vr="${vr}" keyword="${keywords[tag] ?? ''}">${values}</DicomAttribute>`;
    })
    .join('');

/** Returns the reply as XML (PS3.19 A.1, native DICOM model): dcm4che accepts nothing else. */
export const storeXml = (json: DicomJson): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<NativeDicomModel xmlns="http://dicom.nema.org/PS3.19/models/NativeDICOM" xml:space="preserve">${attributesXml(json)}</NativeDicomModel>`,
    '',
  ].join('\n');

const xmlTypes = ['application/dicom+xml', 'application/xml', 'text/xml'];

/** Returns the media type of an XML reply. */
export const xmlTypeFor = ({ type }: MediaRange): string | null =>
  xmlTypes.includes(type) ? 'application/dicom+xml' : null;
