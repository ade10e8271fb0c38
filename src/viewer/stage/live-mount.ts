import { sameViewport } from '../scene/mount.ts';
import type { Mount, MountViewport, Scene } from '../scene/scene.ts';

/** The mount as shown now: with the viewport of the scene, or that of a later gesture. */
export interface LiveMount {
  readonly now: () => Mount | null;
  readonly setViewport: (view: MountViewport) => void;
  /** Applies the differences between two scenes; during a gesture the live viewport stays. */
  readonly applyScene: (previous: Scene, next: Scene, isActive: boolean) => void;
}

export const createLiveMount = (): LiveMount => {
  let mount: Mount | null = null;
  return {
    now: () => mount,
    setViewport: (view) => {
      if (mount) mount = { ...mount, view };
    },
    applyScene: (previous, next, isActive) => {
      const before = previous.mount;
      const after = next.mount;
      const keepsViewport =
        mount &&
        before &&
        after &&
        before.width === after.width &&
        before.height === after.height &&
        (isActive || sameViewport(before.view, after.view));
      mount = after && { ...after, view: keepsViewport && mount ? mount.view : after.view };
    },
  };
};
