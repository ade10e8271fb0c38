import { useEffect, useState } from 'react';

/** Is the graphics context of the canvas in `host` gone for now? */
export const useGraphicsLost = (host: HTMLElement | null): boolean => {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!host) return;
    const gone = () => setLost(true);
    const back = () => setLost(false);
    // These events do not bubble; on the way down they pass the host.
    host.addEventListener('webglcontextlost', gone, true);
    host.addEventListener('webglcontextrestored', back, true);
    return () => {
      host.removeEventListener('webglcontextlost', gone, true);
      host.removeEventListener('webglcontextrestored', back, true);
      setLost(false);
    };
  }, [host]);
  return lost;
};
