import { useCallback, useRef, useSyncExternalStore } from 'react';
import {
  selectIsFailed,
  selectIsInterrupted,
  selectPercent,
  selectStepNumber,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';

export interface TrayState {
  readonly running: number;
  /** One failed, stopped at its upload, or asks whether its patient is right. */
  readonly needsPerson: boolean;
  /** 0 to 100 of all running imports together, their steps counted alike. */
  readonly percent: number;
}

const steps = 5;

const stateOf = (imports: readonly TrayImport[]): TrayState => {
  const snapshots = imports.map(({ actor }) => actor.getSnapshot());
  const running = snapshots.filter(
    (snapshot) => snapshot.status === 'active' && !selectIsFailed(snapshot) && !selectIsInterrupted(snapshot),
  );
  const done = running.reduce((sum, snapshot) => sum + selectStepNumber(snapshot) + selectPercent(snapshot) / 100, 0);
  return {
    running: running.length,
    needsPerson: snapshots.some(
      (snapshot) =>
        snapshot.status === 'active' &&
        (selectIsFailed(snapshot) || selectIsInterrupted(snapshot) || selectWaitsForPerson(snapshot)),
    ),
    percent: running.length === 0 ? 0 : Math.min(100, Math.round((done / (running.length * steps)) * 100)),
  };
};

const same = (one: TrayState, other: TrayState) =>
  one.running === other.running && one.needsPerson === other.needsPerson && one.percent === other.percent;

/** How all imports of the tray stand together. */
export const useTrayState = (imports: readonly TrayImport[]): TrayState => {
  const last = useRef<TrayState | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscriptions = imports.map(({ actor }) => actor.subscribe({ next: listener, complete: listener }));
      return () => {
        for (const subscription of subscriptions) subscription.unsubscribe();
      };
    },
    [imports],
  );
  return useSyncExternalStore(subscribe, () => {
    const next = stateOf(imports);
    if (!last.current || !same(last.current, next)) last.current = next;
    return last.current;
  });
};
