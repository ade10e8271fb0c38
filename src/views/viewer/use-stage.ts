import { useEffect, useState } from 'react';
import { createStage, type Images, type Stage } from '../../viewer/index.ts';

/** A stage in `host`, from the moment that both are there; disposed with the host. A new `attempt` builds it afresh. */
export const useStage = (
  host: HTMLElement | null,
  openImages: () => Promise<Images>,
  label: string,
  attempt: number,
): Stage | null => {
  const [stage, setStage] = useState<Stage | null>(null);
  useEffect(() => {
    if (!host) return;
    let current: Stage | null = null;
    let left = false;
    openImages().then((images) => {
      if (left) return;
      current = createStage(host, { images, label });
      setStage(current);
    });
    return () => {
      left = true;
      current?.dispose();
      setStage(null);
    };
  }, [host, openImages, label, attempt]);
  return stage;
};
