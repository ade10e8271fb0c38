import { useEffect, useRef } from 'react';

/** Returns the signal that is aborted when the component unmounts. */
export const useLeavingSignal = (): (() => AbortSignal) => {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  return () => leaving.current.signal;
};
