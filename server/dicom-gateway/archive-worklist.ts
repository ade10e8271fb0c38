import type { Kysely } from 'kysely';
import type { DataSet } from '../../dicom/data-set.ts';
import type { DicomJson, JsonAttribute } from '../../dicom/dicom-json.ts';
import { tagKey } from '../../dicom/dicom-json.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { vrOf } from '../../dicom/vr-of.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Schema } from '../db/schema.ts';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import { type WorklistKey, type WorklistRow, worklistOf } from '../db/stores/worklist.ts';
import { statuses } from '../dimse/message/message.ts';
import type { Find } from '../dimse/provider/find-service.ts';
import { RequestRefused } from '../dimse/provider/services.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { encodeIdentifier } from './encode-identifier.ts';
import { soundValue } from './query-level.ts';
import { orderKeys, stepKeys, stepSequence, worklistJson } from './worklist-json.ts';

/** More orders than a clinic has open: a query with more matches ends with a failure. */
const maxMatches = 1_000;
const pageMatches = 200;

interface WorklistDependencies {
  readonly db: Kysely<Schema>;
  readonly accessLog: AccessLog;
  /** Returns whether a device was shown an order a moment ago: devices ask again and again. */
  readonly isRepeated: (shown: string) => boolean;
}

const stepTag = Number.parseInt(stepSequence, 16);
const isKey = (tag: number): boolean => (tag & 0xffff) !== 0 && tag !== tags.specificCharacterSet;
const isUniversal = (value: string): boolean => /^\**$/.test(value);

interface Keys {
  readonly matched: ReadonlyMap<WorklistKey, string>;
  readonly ignores: boolean;
}

const vrIn = (dataSet: DataSet, tag: number): string => dataSet.elements.get(tag)?.vr ?? vrOf(tag, false);

/** Reads the values of one level; sequences other than that of steps are returned and not matched. */
const keysIn = (dataSet: DataSet, known: Readonly<Record<string, WorklistKey>>): Keys => {
  const matched = new Map<WorklistKey, string>();
  let ignores = false;
  for (const tag of dataSet.elements.keys()) {
    if (!isKey(tag) || vrIn(dataSet, tag) === 'SQ') continue;
    const value = soundValue(dataSet.text(tag) ?? '').trim();
    if (isUniversal(value)) continue;
    const key = known[tagKey(tag)];
    if (key) matched.set(key, value);
    else ignores = true;
  }
  return { matched, ignores };
};

/** The one item of the sequence of steps; null without one. @throws RequestRefused */
const stepOf = (identifier: DataSet): DataSet | null => {
  try {
    const items = identifier.sequence(stepTag);
    if (items.length > 1)
      throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The sequence of scheduled steps has several items');
    return items[0] ?? null;
  } catch (problem) {
    if (!(problem instanceof DicomProblem)) throw problem;
    throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The identifier is malformed');
  }
};

/** Returns the requested attributes of an order; those that it does not have are empty. */
const requestedOf = (found: DicomJson, identifier: DataSet, step: DataSet | null): DicomJson =>
  Object.fromEntries(
    [...identifier.elements.keys()].filter(isKey).map((tag): [string, JsonAttribute] => {
      const key = tagKey(tag);
      const all = found[key] ?? { vr: vrIn(identifier, tag) };
      // A sequence without keys asks for all of it (PS3.4 C.2.2.2.6).
      if (tag !== stepTag || !step || ![...step.elements.keys()].some(isKey)) return [key, all];
      const [item = {}] = (all.Value ?? []) as readonly DicomJson[];
      return [key, { vr: 'SQ', Value: [requestedOf(item, step, null)] }];
    }),
  );

/** Answers the queries of a device for the worklist of its clinic (PS3.4 annex K). */
export const archiveWorklist =
  ({ db, accessLog, isRepeated }: WorklistDependencies, device: DicomDeviceRow): Find =>
  async (identifier, transferSyntaxUid) => {
    const step = stepOf(identifier);
    const [ofOrder, ofStep] = [keysIn(identifier, orderKeys), step && keysIn(step, stepKeys)];
    const keys = new Map([...ofOrder.matched, ...(ofStep?.matched ?? [])]);
    const explicitVr = transferSyntaxUid === transferSyntaxes.explicitLittleEndian;

    const pageAt = async (offset: number): Promise<WorklistRow[]> => {
      try {
        return await worklistOf(db, device, keys, { offset, limit: pageMatches });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The value of a key is none of its kind');
      }
    };

    const noteListed = (rows: readonly WorklistRow[]) =>
      accessLog.note(
        ...rows
          .filter(({ id }) => !isRepeated(`${device.id} ${id}`))
          .map(({ id, patient_id: patientId }) => ({
            accountId: device.id,
            customerId: device.customerId,
            patientId,
            action: 'order.listed' as const,
            objectId: id,
          })),
      );

    async function* identifiers() {
      for (let offset = 0; ; offset += pageMatches) {
        const rows = await pageAt(offset);
        if (offset >= maxMatches && rows.length > 0)
          throw new RequestRefused(statuses.outOfResources, `There are more than ${maxMatches} matches`);
        await noteListed(rows);
        for (const row of rows)
          yield encodeIdentifier(requestedOf(worklistJson(row, device.aeTitle), identifier, step), explicitVr);
        if (rows.length < pageMatches) return;
      }
    }
    return { ignoresKeys: ofOrder.ignores || ofStep?.ignores === true, identifiers: identifiers() };
  };
