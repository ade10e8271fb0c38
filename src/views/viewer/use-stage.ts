import { useEffect, useState } from 'react';
import { createStage, type Images, type Stage, type StageOptions } from '../../viewer/index.ts';
import { createStageMemory, type StageMemory } from './stage-memory.ts';

/** A stage with what stands beside it: its pictures, and what it told last. */
export interface OpenStage {
  readonly stage: Stage;
  readonly images: Images;
  readonly memory: StageMemory;
}

/** A stage in `host`, from the moment that both are there; disposed with the host. A new `attempt` or another language builds it afresh. */
export const useStage = (
  host: HTMLElement | null,
  openImages: () => Promise<Images>,
  { label, words, locale }: Omit<StageOptions, 'images'>,
  attempt: number,
): { readonly open: OpenStage | null; readonly failure: Error | null } => {
  const [open, setOpen] = useState<OpenStage | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    if (!host) return;
    let current: OpenStage | null = null;
    let left = false;
    setFailure(null);
    openImages().then(
      (images) => {
        if (left) return;
        const stage = createStage(host, {
          images,
          ...(label !== undefined && { label }),
          ...(words && { words }),
          ...(locale && { locale }),
        });
        current = { stage, images, memory: createStageMemory(stage) };
        setOpen(current);
      },
      (reason) => {
        if (!left) setFailure(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return () => {
      left = true;
      current?.memory.forget();
      current?.stage.dispose();
      setOpen(null);
    };
  }, [host, openImages, label, words, locale, attempt]);
  return { open, failure };
};
