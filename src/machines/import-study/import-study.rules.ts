import type { HubEvent } from '../../../contract/hub.ts';
import type { ImportDecision, ImportFile, ImportStudy, ImportTask } from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';
import { asPercent } from './upload.rules.ts';

/** What a person decides about one study; what is not given stays as it is. */
export interface Decision {
  readonly key: string;
  readonly decision: Partial<ImportDecision>;
}

/** What became of a decision: the study as it is now, or why the archive did not take it. */
export type DecisionOutcome = { readonly study: ImportStudy } | { readonly key: string; readonly failure: Failure };

/** Why the last decision about a study was not taken. */
export interface DecisionFailure {
  readonly key: string;
  readonly failure: Failure;
}

/** Later decisions about a study complete the earlier ones, so that one call says them all. */
export const withDecision = (decisions: readonly Decision[], { key, decision }: Decision): readonly Decision[] =>
  decisions.some((one) => one.key === key)
    ? decisions.map((one) => (one.key === key ? { key, decision: { ...one.decision, ...decision } } : one))
    : [...decisions, { key, decision }];

const noKeys: readonly string[] = [];

/** Keys of the studies about which something is decided that the archive has not taken yet. */
export const keysBeingSent = (waiting: readonly Decision[], sent: readonly Decision[]): readonly string[] =>
  waiting.length + sent.length === 0 ? noKeys : [...new Set([...sent, ...waiting].map(({ key }) => key))];

export const withOutcomes = (
  studies: readonly ImportStudy[],
  outcomes: readonly DecisionOutcome[],
): readonly ImportStudy[] => {
  const decided = new Map(outcomes.flatMap((one) => ('study' in one ? [[one.study.key, one.study] as const] : [])));
  return studies.map((study) => decided.get(study.key) ?? study);
};

export const refusedDecision = (outcomes: readonly DecisionOutcome[]): DecisionFailure | null =>
  outcomes.find((one) => 'failure' in one) ?? null;

/** Of an import that another session sends: files that have arrived. */
export const arrivedPercent = (found: readonly ImportFile[], expected: number): number =>
  expected === 0 ? 0 : asPercent(found.length, expected);

const takeable: readonly ImportFile['status'][] = ['parsed', 'imported', 'duplicate'];

/** None of the files is one that the archive can take, or has already. */
export const nothingImportable = (found: readonly ImportFile[]): boolean =>
  !found.some(({ status }) => takeable.includes(status));

/** Files that name somebody else than the chosen patient: a person must look before they are imported. */
export const mismatches = (found: readonly ImportFile[]): readonly ImportFile[] =>
  found.filter((file) => file.status === 'parsed' && file.patient?.match === 'differs');

/** A file that was refused for a reason that may pass. */
export const anyPassing = (found: readonly ImportFile[]): boolean =>
  found.some(
    ({ status, problem }) => status === 'refused' && (problem === 'storage-failed' || problem === 'took-too-long'),
  );

/** Something is wanted, and nothing stands in its way. */
export const nothingInTheWay = (studies: readonly ImportStudy[]): boolean => {
  const wanted = studies.filter(({ decision }) => !decision.leftOut);
  return wanted.length > 0 && wanted.every(({ obstacles }) => obstacles.length === 0);
};

/** Every study is the chosen patient's, says the archive, and no person has decided otherwise. */
export const isAllOf = (studies: readonly ImportStudy[], patientId: string): boolean =>
  studies.every(
    ({ match, namesSeveral, decision }) =>
      match !== 'differs' && !namesSeveral && !decision.leftOut && decision.patientId === patientId,
  );

/** What the archive's news mean for one import. `outcome`: it succeeded or not, the truth is to be fetched. */
export type Report =
  | { type: 'preparing.reported'; taskId: string }
  | { type: 'progress.reported'; taskId: string; step: ImportTask['step']; percent: number }
  | { type: 'outcome.reported'; taskId: string };

/** Hub news as a report about an import; null for news about pictures. */
export const reportOf = (news: HubEvent): Report | null => {
  switch (news.name) {
    case 'preparing':
      return { type: 'preparing.reported', taskId: news.body.taskId };
    case 'progress':
      return { type: 'progress.reported', ...news.body };
    case 'parsed':
    case 'imported':
      return { type: 'outcome.reported', taskId: news.body.result.taskId };
    default:
      return null;
  }
};
