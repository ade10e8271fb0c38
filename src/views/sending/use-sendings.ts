import { useQuery } from '@tanstack/react-query';
import type { DicomSending } from '../../../contract/dicom-sendings.ts';
import { useAppQueries } from '../app/queries-context.tsx';

const refreshMs = 2_000;
/** While the report of a device is waited for. */
const reportRefreshMs = 15_000;

export const isRunning = ({ state }: DicomSending): boolean => state === 'waiting' || state === 'sending';

/** Returns whether a user should look at a sending: it failed, or images were not sent or not confirmed, or the device does not answer now. */
export const needsAttention = ({ state, failure, notSent, commitment }: DicomSending): boolean =>
  state !== 'cancelled' &&
  (failure !== null || notSent > 0 || (commitment !== null && commitment !== 'waiting' && commitment !== 'confirmed'));

const refreshOf = (sendings: readonly DicomSending[] = []): number | false => {
  if (sendings.some(isRunning)) return refreshMs;
  return sendings.some(({ commitment }) => commitment === 'waiting') && reportRefreshMs;
};

/** Returns the sendings of the user in a clinic, the newest first; refreshed while one runs. Null: none is asked for. */
export const useSendings = (customerId: string | null): readonly DicomSending[] => {
  const { dicomSendings } = useAppQueries();
  const { data } = useQuery({
    ...dicomSendings(customerId ?? ''),
    enabled: customerId !== null,
    refetchInterval: ({ state }) => refreshOf(state.data?.sendings),
  });
  return (customerId !== null && data?.sendings) || [];
};

/** What the header shows of sendings. */
export interface SendingsState {
  readonly running: number;
  readonly needsAttention: boolean;
  /** Images with an outcome of those on the way, 0 to 100. */
  readonly percent: number;
}

/** Returns their combined state; null without any. */
export const sendingsState = (sendings: readonly DicomSending[]): SendingsState | null => {
  if (sendings.length === 0) return null;
  const running = sendings.filter(isRunning);
  const total = running.reduce((sum, one) => sum + one.total, 0);
  const settled = running.reduce((sum, one) => sum + one.sent + one.notSent, 0);
  return {
    running: running.length,
    needsAttention: sendings.some(needsAttention),
    percent: total === 0 ? 0 : Math.floor((settled / total) * 100),
  };
};
