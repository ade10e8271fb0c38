import type { HubEvent } from '../../../contract/hub.ts';
import type { ImportDecision, ImportFile, ImportStudy, ImportTask } from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';
import { asPercent } from './upload.rules.ts';

/** A decision of the user about one study; missing fields stay unchanged. */
export interface Decision {
  readonly key: string;
  readonly decision: Partial<ImportDecision>;
}

/** Result of a decision: the updated study, or why the archive rejected it. */
export type DecisionOutcome = { readonly study: ImportStudy } | { readonly key: string; readonly failure: Failure };

/** Why the last decision about a study was rejected. */
export interface DecisionFailure {
  readonly key: string;
  readonly failure: Failure;
}

/** Adds a decision; decisions about the same study are merged into one call. */
export const withDecision = (decisions: readonly Decision[], { key, decision }: Decision): readonly Decision[] =>
  decisions.some((one) => one.key === key)
    ? decisions.map((one) => (one.key === key ? { key, decision: { ...one.decision, ...decision } } : one))
    : [...decisions, { key, decision }];

const noKeys: readonly string[] = [];

/** Returns keys of studies with decisions that the archive has not yet accepted. */
export const keysBeingSent = (waiting: readonly Decision[], sent: readonly Decision[]): readonly string[] =>
  waiting.length + sent.length === 0 ? noKeys : [...new Set([...sent, ...waiting].map(({ key }) => key))];

export const withOutcomes = (
  studies: readonly ImportStudy[],
  outcomes: readonly DecisionOutcome[],
): readonly ImportStudy[] => {
  const decided = new Map(outcomes.flatMap((one) => ('study' in one ? [[one.study.key, one.study] as const] : [])));
  return studies.map((study) => decided.get(study.key) ?? study);
};

export const rejectedDecision = (outcomes: readonly DecisionOutcome[]): DecisionFailure | null =>
  outcomes.find((one) => 'failure' in one) ?? null;

/** Returns the percentage of files that have arrived, for an upload of another session. */
export const arrivedPercent = (found: readonly ImportFile[], expected: number): number =>
  expected === 0 ? 0 : asPercent(found.length, expected);

const importable: readonly ImportFile['status'][] = ['parsed', 'imported', 'duplicate'];

/** Returns whether no file is importable or already imported. */
export const nothingImportable = (found: readonly ImportFile[]): boolean =>
  !found.some(({ status }) => importable.includes(status));

/** Returns files that name another patient than the chosen one; the user must confirm them. */
export const mismatches = (found: readonly ImportFile[]): readonly ImportFile[] =>
  found.filter((file) => file.status === 'parsed' && file.patient?.match === 'differs');

/** Returns whether a file was rejected for a temporary reason. */
export const anyTemporary = (found: readonly ImportFile[]): boolean =>
  found.some(
    ({ status, problem }) => status === 'refused' && (problem === 'storage-failed' || problem === 'took-too-long'),
  );

/** Returns whether at least one study is to be imported and none has obstacles. */
export const noObstacles = (studies: readonly ImportStudy[]): boolean => {
  const included = studies.filter(({ decision }) => !decision.leftOut);
  return included.length > 0 && included.every(({ obstacles }) => obstacles.length === 0);
};

/** Returns whether every study belongs to the chosen patient and no decision says otherwise. */
export const isAllOf = (studies: readonly ImportStudy[], patientId: string): boolean =>
  studies.every(
    ({ match, namesSeveral, decision }) =>
      match !== 'differs' && !namesSeveral && !decision.leftOut && decision.patientId === patientId,
  );

/** A hub event about one import. `outcome`: it succeeded or failed, the import is to be fetched. */
export type Report =
  | { type: 'preparing.reported'; taskId: string }
  | { type: 'progress.reported'; taskId: string; step: ImportTask['step']; percent: number }
  | { type: 'outcome.reported'; taskId: string };

/** Returns a hub event as a report about an import; null for events about images. */
export const reportOf = (event: HubEvent): Report | null => {
  switch (event.name) {
    case 'preparing':
      return { type: 'preparing.reported', taskId: event.body.taskId };
    case 'progress':
      return { type: 'progress.reported', ...event.body };
    case 'parsed':
    case 'imported':
      return { type: 'outcome.reported', taskId: event.body.result.taskId };
    default:
      return null;
  }
};
