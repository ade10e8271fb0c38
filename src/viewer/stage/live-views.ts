import { sameView } from '../scene/camera.ts';
import { sameDisplay } from '../scene/display.ts';
import { sameMarks } from '../scene/marks.ts';
import type { Display, Mark, Scene, SceneImage, View } from '../scene/scene.ts';

/** How an image is shown at this moment: what the scene says, or what a hand has made of it since. */
export interface LiveView {
  readonly display: Display;
  readonly view: View;
  readonly marks: readonly Mark[];
}

export interface LiveViews {
  readonly of: (id: string) => LiveView | null;
  readonly change: (id: string, change: Partial<LiveView>) => void;
  /**
   * Takes over what differs between two scenes. Images in the middle of a gesture keep what the hand does; so does
   * one of which the new scene says what the old one said.
   */
  readonly take: (previous: Scene, next: Scene, inHand: ReadonlySet<string>) => void;
}

const isReplaced = (before: SceneImage, after: SceneImage) =>
  before.source !== after.source || before.frame !== after.frame;

export const createLiveViews = (): LiveViews => {
  const views = new Map<string, LiveView>();

  const taken = (before: SceneImage | undefined, after: SceneImage): LiveView => {
    const live = views.get(after.id);
    // Another frame of the same file keeps the view and the greys; another file starts afresh.
    if (!before || !live || before.source !== after.source) return after;
    return {
      display: sameDisplay(before.display, after.display) ? live.display : after.display,
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
    take: (previous, next, inHand) => {
      for (const image of next.images) {
        const before = previous.images.find(({ id }) => id === image.id);
        if (inHand.has(image.id) && before && !isReplaced(before, image)) continue;
        const { display, view, marks } = taken(before, image);
        views.set(image.id, { display, view, marks });
      }
      for (const id of [...views.keys()]) if (!next.images.some((image) => image.id === id)) views.delete(id);
    },
  };
};
