import { linkedView } from '../scene/link.ts';
import type { Scene } from '../scene/scene.ts';
import type { LiveViews } from './live-views.ts';
import type { StageImages } from './stage-images.ts';

export interface EnteringImages {
  readonly applyScene: (previous: Scene, next: Scene) => void;
  /** Call when an image is loaded: only then its size is known. */
  readonly loaded: (id: string) => void;
}

/** Gives an image that enters a linked scene the zoom and position of one that was on the stage before. */
export const createEnteringImages = (views: LiveViews, stageImages: Pick<StageImages, 'of'>): EnteringImages => {
  /** By image that is not loaded yet: the image that it follows. */
  const followed = new Map<string, string>();
  return {
    applyScene: (previous, next) => {
      const before = new Set(previous.images.map(({ id }) => id));
      const stayed = next.images.find(({ id }) => before.has(id));
      if (!next.linked || next.mount || !stayed) return followed.clear();
      for (const id of followed.keys()) if (!next.images.some((image) => image.id === id)) followed.delete(id);
      // An image with a zoom of its own keeps it.
      for (const { id, view } of next.images) if (!before.has(id) && view === 'fit') followed.set(id, stayed.id);
    },
    loaded: (id) => {
      const fromId = followed.get(id);
      if (fromId === undefined) return;
      followed.delete(id);
      const [from, to, live] = [stageImages.of(fromId), stageImages.of(id), views.of(fromId)];
      if (from && to && live && views.of(id)?.view === 'fit')
        views.change(id, { view: linkedView(from, live.view, to) });
    },
  };
};
