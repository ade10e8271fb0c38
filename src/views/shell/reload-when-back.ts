import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useReading } from '../reading.tsx';

const askAgainMs = 5_000;
/** A part that is missing for good must not make the page begin anew for ever. */
const leastBetweenMs = 60_000;
const storageKey = 'dentarium.begun-anew';

const beginAnew = (): void => {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < leastBetweenMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
  } catch {
    // Where nothing may be stored, a person reloads.
    return;
  }
  window.location.reload();
};

/**
 * Begins the page anew, where it is, as soon as the archive answers while parts of the program are `late`: Chromium never asks again for a module
 * that it could not fetch, however often it is imported.
 */
export const useReloadWhenBack = (late: boolean): void => {
  const { queryKey, queryFn } = useReading().welcome();
  const { isSuccess } = useQuery({
    ...{ queryKey: [...queryKey, 'line'], queryFn, enabled: late },
    ...{ staleTime: 0, gcTime: 0, retry: false, refetchInterval: askAgainMs, refetchOnReconnect: 'always' },
  });
  useEffect(() => {
    if (late && isSuccess) beginAnew();
  }, [late, isSuccess]);
};
