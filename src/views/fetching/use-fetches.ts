import { useQuery } from '@tanstack/react-query';
import type { DicomFetch } from '../../../contract/dicom-fetches.ts';
import { useAppQueries } from '../app/queries-context.tsx';

const refreshMs = 2_000;

export const canBeStopped = ({ state }: DicomFetch): boolean => state === 'waiting' || state === 'fetching';

/** Returns whether something may still change without the user. */
export const isRunning = (fetch: DicomFetch): boolean =>
  canBeStopped(fetch) || fetch.studies.some(({ state }) => state === 'importing');

/** Returns whether a user should look at a fetch: it failed, a study waits for a decision, or images did not come. */
export const needsAttention = ({ state, failure, studies, refusals }: DicomFetch): boolean =>
  state !== 'cancelled' &&
  (failure !== null ||
    studies.some((study) => ['undecided', 'empty', 'failed'].includes(study.state)) ||
    refusals.some(({ reason }) => reason !== 'known'));

/** Returns the fetches of the user in a clinic, the newest first; refreshed while one runs. Null: none is asked for. */
export const useFetches = (customerId: string | null): readonly DicomFetch[] => {
  const { dicomFetches } = useAppQueries();
  const { data } = useQuery({
    ...dicomFetches(customerId ?? ''),
    enabled: customerId !== null,
    refetchInterval: ({ state }) => (state.data?.fetches.some(isRunning) ? refreshMs : false),
  });
  return (customerId !== null && data?.fetches) || [];
};

/** Returns how many images are found and fetched. */
export const countsOf = (fetches: readonly DicomFetch[]): { readonly found: number; readonly fetched: number } => {
  const studies = fetches.flatMap((fetch) => fetch.studies);
  return {
    found: studies.reduce((sum, study) => sum + study.found, 0),
    fetched: studies.reduce((sum, study) => sum + study.fetched, 0),
  };
};

/** Returns their combined state for the header; null without any. */
export const fetchesState = (fetches: readonly DicomFetch[]) => {
  if (fetches.length === 0) return null;
  const running = fetches.filter(isRunning);
  const { found, fetched } = countsOf(running);
  return {
    running: running.length,
    needsAttention: fetches.some(needsAttention),
    percent: found === 0 ? 0 : Math.floor((fetched / found) * 100),
  };
};
