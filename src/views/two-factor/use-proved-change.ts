import { useState } from 'react';
import { failureOfQuery } from '../app/queries-context.tsx';

type Change = () => Promise<void>;

/**
 * Runs changes of the account that may first need a proof of who the user is. `waiting`: the change that waits for it, to be run again.
 * @param errorText text of any other error
 */
export const useProvedChange = (errorText: (error: unknown) => string) => {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Change | null>(null);
  const reset = () => {
    setError(null);
    setWaiting(null);
  };
  const run = async (change: Change) => {
    reset();
    setBusy(true);
    try {
      await change();
    } catch (failed) {
      if (failureOfQuery(failed).code === 'proof-needed') setWaiting(() => change);
      else setError(errorText(failed));
    } finally {
      setBusy(false);
    }
  };
  return { run, reset, waiting, busy, error };
};
