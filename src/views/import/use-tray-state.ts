import { useMemo } from 'react';
import {
  type ImportStudyActor,
  selectCanConfirm,
  selectPercent,
  selectStepNumber,
} from '../../machines/import-study/import-study.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import type { Outcome } from './shown-import.ts';
import { useCalm } from './use-calm-selector.ts';
import { isPartly, outcomeOf } from './use-shown-import.ts';

export interface TrayState {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Everything is decided, and only the word is missing. */
  readonly ready: number;
  /** Of those that are done: not with everything. */
  readonly partly: number;
  /** One failed, stopped at its upload, lacks something, or asks for a decision. */
  readonly needsPerson: boolean;
  /** 0 to 100 of all running imports together, their steps counted alike. */
  readonly percent: number;
}

const steps = 5;

export const isReady = (actor: ImportStudyActor): boolean => selectCanConfirm(actor.getSnapshot());

const stateOf = (imports: readonly TrayImport[]): TrayState => {
  const counts = { running: 0, paused: 0, asks: 0, failed: 0, done: 0 };
  let [done, ready, partly] = [0, 0, 0];
  for (const { actor } of imports) {
    const snapshot = actor.getSnapshot();
    const outcome = outcomeOf(snapshot);
    counts[outcome] += 1;
    if (outcome === 'running') done += selectStepNumber(snapshot) + selectPercent(snapshot) / 100;
    if (selectCanConfirm(snapshot)) ready += 1;
    if (isPartly(actor)) partly += 1;
  }
  const { running, asks, failed } = counts;
  const percent = running === 0 ? 0 : Math.min(100, Math.round((done / (running * steps)) * 100));
  return { counts, ready, partly, needsPerson: asks + failed + partly > 0, percent };
};

const same = (one: TrayState, other: TrayState) =>
  one.ready === other.ready &&
  one.partly === other.partly &&
  one.percent === other.percent &&
  Object.entries(one.counts).every(([outcome, count]) => other.counts[outcome as Outcome] === count);

/** How all imports of the tray stand together. */
export const useTrayState = (imports: readonly TrayImport[]): TrayState => {
  const actors = useMemo(() => imports.map(({ actor }) => actor), [imports]);
  return useCalm(actors, () => stateOf(imports), same, 200);
};
