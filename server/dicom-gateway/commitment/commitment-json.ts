import type { DicomJson } from '../../../dicom/dicom-json.ts';
import type { ObjectReference } from '../../dimse/message/commitment.ts';
import { attribute } from '../../resource/dicomweb/match-json.ts';

/** An object that is not committed, and why. */
export interface FailedReference extends ObjectReference {
  readonly reason: number;
}

const referenceJson = ({ sopClassUid, sopInstanceUid }: ObjectReference): DicomJson => ({
  '00081150': attribute('UI', sopClassUid),
  '00081155': attribute('UI', sopInstanceUid),
});

const sequenceJson = (tag: string, items: readonly DicomJson[]): DicomJson =>
  items.length === 0 ? {} : { [tag]: { vr: 'SQ', Value: items } };

/** Returns a request for commitment (PS3.4 table J.3-1), or a report without failures. */
export const commitmentJson = (transactionUid: string, objects: readonly ObjectReference[]): DicomJson => ({
  '00081195': attribute('UI', transactionUid),
  ...sequenceJson('00081199', objects.map(referenceJson)),
});

/** Returns a report (PS3.4 table J.3-2). */
export const reportJson = (
  transactionUid: string,
  committed: readonly ObjectReference[],
  failed: readonly FailedReference[],
): DicomJson => ({
  ...commitmentJson(transactionUid, committed),
  ...sequenceJson(
    '00081198',
    failed.map((one) => ({ ...referenceJson(one), '00081197': { vr: 'US', Value: [one.reason] } })),
  ),
});
