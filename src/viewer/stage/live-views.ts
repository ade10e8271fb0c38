import { sameView } from '../scene/camera.ts';
import { sameDisplay } from '../scene/display.ts';
import type { Display, Scene, SceneImage, View } from '../scene/scene.ts';

/** How an image is shown at this moment: what the scene says, or what a hand has made of it since. */
export interface LiveView {
  readonly display: Display;
  readonly view: View;
}

export interface LiveViews {
  readonly of: (id: string) => LiveView | null;
  readonly change: (id: string, change: Partial<LiveView>) => void;
  /**
   * Takes over what differs between two scenes. An image in the middle of a gesture keeps what the hand does; so does
   * one of which the new scene says what the old one said.
   */
  readonly take: (previous: Scene, next: Scene, inHand: string | null) => void;
}

const isReplaced = (before: SceneImage, after: SceneImage) =>
  before.source !== after.source || before.frame !== after.frame;

export const createLiveViews = (): LiveViews => {
  const views = new Map<string, LiveView>();

  const taken = (before: SceneImage | undefined, after: SceneImage): LiveView => {
    const live = views.get(after.id);
    if (!before || !live) return { display: after.display, view: after.view };
    const displaySaid = !sameDisplay(before.display, after.display);
    // Another frame of the same file keeps the view and the greys; another file starts afresh.
    const otherFile = before.source !== after.source;
    return {
      display: displaySaid || otherFile ? after.display : live.display,
      view: !sameView(before.view, after.view) || otherFile ? after.view : live.view,
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
        if (inHand === image.id && before && !isReplaced(before, image)) continue;
        views.set(image.id, taken(before, image));
      }
      for (const id of [...views.keys()]) if (!next.images.some((image) => image.id === id)) views.delete(id);
    },
  };
};
