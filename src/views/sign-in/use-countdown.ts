import { useEffect, useState } from 'react';

/** Whole seconds until a moment (milliseconds of the epoch), counted down to 0; 0 for none. */
export const useCountdown = (until: number | null): number => {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [, setTick] = useState(0);
  const seconds = left();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setTick((tick) => tick + 1), 250);
    return () => clearTimeout(timer);
  });
  return seconds;
};
