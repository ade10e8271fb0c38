import type { Kysely } from 'kysely';
import type { DataSet } from '../../dicom/data-set.ts';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { tagKey } from '../../dicom/dicom-json.ts';
import { tags } from '../../dicom/tags.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { vrOf } from '../../dicom/vr-of.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Schema } from '../db/schema.ts';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import { type DicomWebLevel, isMatched } from '../db/stores/dicomweb-keys.ts';
import { type DicomWebMatch, searchDicomWeb } from '../db/stores/dicomweb-search.ts';
import { statuses } from '../dimse/message/message.ts';
import type { Find } from '../dimse/provider/find-service.ts';
import { RequestRefused } from '../dimse/provider/services.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { attribute, matchJson } from '../resource/dicomweb/match-json.ts';
import { matchingKeys } from '../resource/dicomweb/search-query.ts';
import { encodeIdentifier } from './encode-identifier.ts';
import { levelOf, queryRetrieveLevel, soundValue } from './query-level.ts';

const retrieveAeTitle = 0x00080054;
/** What the archive says itself. */
const ownTags: readonly number[] = [tags.specificCharacterSet, queryRetrieveLevel, retrieveAeTitle];
/** Has a query no more of them, it is answered to its end. */
const maxMatches = 5_000;
const pageMatches = 500;

interface FindDependencies {
  readonly db: Kysely<Schema>;
  readonly accessLog: AccessLog;
  readonly aeTitle: string;
}

const isKey = (tag: number): boolean => (tag & 0xffff) !== 0 && !ownTags.includes(tag);

const keysOf = (identifier: DataSet): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...identifier.elements.keys()].filter(isKey).flatMap((tag) => {
      const vr = identifier.elements.get(tag)?.vr ?? vrOf(tag, false);
      return vr === 'SQ' ? [] : [[tagKey(tag), soundValue(identifier.text(tag) ?? '')]];
    }),
  );

/** One entry for each study, whose series and instances the device sees. */
const listedStudies = ({ id, customerId }: DicomDeviceRow, matches: readonly DicomWebMatch[]) =>
  [...new Map(matches.map((match) => [match.study_id, match]))].map(([objectId, { patient_id: patientId }]) => ({
    accountId: id,
    customerId,
    patientId,
    action: 'study.listed' as const,
    objectId,
  }));

const levelTexts: Readonly<Record<DicomWebLevel, string>> = { study: 'STUDY', series: 'SERIES', instance: 'IMAGE' };

/** Returns the requested attributes of a match; those that the archive does not have are empty. */
const requestedOf = (found: DicomJson, identifier: DataSet): DicomJson =>
  Object.fromEntries(
    [...identifier.elements.values()]
      .filter(({ tag }) => isKey(tag))
      .map(({ tag, vr }) => [tagKey(tag), found[tagKey(tag)] ?? { vr: vr ?? vrOf(tag, false) }]),
  );

/** Searches the studies, series and images of the clinic of a device (C-FIND), as DICOMweb does. Every study that is found is logged. */
export const archiveFind =
  ({ db, accessLog, aeTitle }: FindDependencies, device: DicomDeviceRow): Find =>
  async (identifier, transferSyntaxUid) => {
    const level = levelOf(identifier);
    const keys = matchingKeys(keysOf(identifier));
    const search = { customerId: device.customerId, seesProtected: false, level, keys, isFuzzy: false };
    const explicitVr = transferSyntaxUid === transferSyntaxes.explicitLittleEndian;

    const pageAt = async (offset: number) => {
      try {
        return await searchDicomWeb(db, { ...search, limit: pageMatches, offset });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The value of a key is none of its kind');
      }
    };

    const responseOf = (match: DicomWebMatch): Buffer => {
      const own: DicomJson = {
        [tagKey(queryRetrieveLevel)]: attribute('CS', levelTexts[level]),
        [tagKey(retrieveAeTitle)]: attribute('AE', aeTitle),
      };
      return encodeIdentifier({ ...requestedOf(matchJson(match, level, ''), identifier), ...own }, explicitVr);
    };

    async function* identifiers() {
      for (let offset = 0; ; offset += pageMatches) {
        if (offset >= maxMatches)
          throw new RequestRefused(statuses.outOfResources, `There are more than ${maxMatches} matches`);
        const { matches, remaining } = await pageAt(offset);
        await accessLog.note(...listedStudies(device, matches));
        for (const match of matches) yield responseOf(match);
        if (remaining === 0) return;
      }
    }
    return { ignoresKeys: [...keys.keys()].some((tag) => !isMatched(level, tag)), identifiers: identifiers() };
  };
