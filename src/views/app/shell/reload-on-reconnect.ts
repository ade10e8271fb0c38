import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAppQueries } from '../queries-context.tsx';

const retryMs = 5_000;
/** A permanently missing chunk must not cause a reload loop. */
const minIntervalMs = 60_000;
const storageKey = 'dentarium.begun-anew';

const reloadOnce = (): void => {
  try {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < minIntervalMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
  } catch {
    // Without storage the loop guard cannot work; the user reloads.
    return;
  }
  window.location.reload();
};

/**
 * Reloads the page once the server answers while chunks are `late`: Chromium caches a failed
 * module fetch and never retries it.
 */
export const useReloadOnReconnect = (late: boolean): void => {
  const { queryKey, queryFn } = useAppQueries().welcome();
  const { isSuccess } = useQuery({
    queryKey: [...queryKey, 'line'],
    queryFn,
    enabled: late,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: retryMs,
    refetchOnReconnect: 'always',
  });
  useEffect(() => {
    if (late && isSuccess) reloadOnce();
  }, [late, isSuccess]);
};
