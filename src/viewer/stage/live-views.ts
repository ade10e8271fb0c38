import { sameView } from '../scene/camera.ts';
import { isSameDisplay } from '../scene/display.ts';
import { sameMarks } from '../scene/marks.ts';
import type { Display, Mark, Scene, SceneImage, View } from '../scene/scene.ts';

/** The image as shown now: with the state of the scene, or that of a later gesture. */
export interface LiveView {
  readonly display: Display;
  readonly view: View;
  readonly marks: readonly Mark[];
}

export interface LiveViews {
  readonly of: (id: string) => LiveView | null;
  readonly change: (id: string, change: Partial<LiveView>) => void;
  /**
   * Applies the differences between two scenes. The live state stays for images that a gesture is changing, and for those that
   * are equal in both scenes.
   */
  readonly applyScene: (previous: Scene, next: Scene, activeIds: ReadonlySet<string>) => void;
}

const isReplaced = (before: SceneImage, after: SceneImage) =>
  before.source !== after.source || before.frame !== after.frame;

export const createLiveViews = (): LiveViews => {
  const views = new Map<string, LiveView>();

  const liveViewOf = (before: SceneImage | undefined, after: SceneImage): LiveView => {
    const live = views.get(after.id);
    // Another frame of the same file keeps view and display; another file resets them.
    if (!before || !live || before.source !== after.source) return after;
    return {
      display: isSameDisplay(before.display, after.display) ? live.display : after.display,
      view: sameView(before.view, after.view) ? live.view : after.view,
      marks: sameMarks(before.marks, after.marks) ? live.marks : after.marks,
    };
  };

  return {
    of: (id) => views.get(id) ?? null,
    change: (id, change) => {
      const live = views.get(id);
      if (live) views.set(id, { ...live, ...change });
    },
    applyScene: (previous, next, activeIds) => {
      for (const image of next.images) {
        const before = previous.images.find(({ id }) => id === image.id);
        if (activeIds.has(image.id) && before && !isReplaced(before, image)) continue;
        const { display, view, marks } = liveViewOf(before, image);
        views.set(image.id, { display, view, marks });
      }
      for (const id of [...views.keys()]) if (!next.images.some((image) => image.id === id)) views.delete(id);
    },
  };
};
