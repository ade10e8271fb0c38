import type { ShownImage } from '../layers/image-layer.ts';
import { type Size, sameView } from '../scene/camera.ts';
import { isSameDisplay } from '../scene/display.ts';
import { type MountTransform, mountTransform } from '../scene/mount.ts';
import type { Camera, Mount, ResolvedDisplay, Scene } from '../scene/scene.ts';
import type { Intents } from './intents.ts';

interface Drawn {
  readonly display: ResolvedDisplay;
  readonly camera: Camera;
  readonly level: 'full' | 'reduced';
  readonly filtering: boolean;
}

const sameDrawn = (one: Drawn, other: Drawn) =>
  one.level === other.level &&
  one.filtering === other.filtering &&
  isSameDisplay(one.display, other.display) &&
  sameView(one.camera, other.camera);

/** Creates the notifier of drawn state: emits `view.drawn` and `mount.drawn` after each frame in which they changed. */
export const createDrawNotifier = (emit: Intents['emit']) => {
  let images = new Map<string, Drawn>();
  let pose: MountTransform | null = null;
  return {
    /** Forgets images that left the scene: one that returns is reported again, even without a frame between. */
    applyScene: (scene: Scene) => {
      const ids = new Set(scene.images.map(({ id }) => id));
      images = new Map([...images].filter(([id]) => ids.has(id)));
    },
    images: (shown: ReadonlyMap<string, ShownImage>, isFiltering: (id: string) => boolean) => {
      const before = images;
      images = new Map(
        [...shown].map(([id, { display, camera, image }]) => [
          id,
          { display, camera, level: image.level, filtering: isFiltering(id) },
        ]),
      );
      for (const [id, drawn] of images) {
        const was = before.get(id);
        if (!was || !sameDrawn(was, drawn)) emit({ type: 'view.drawn', id, ...drawn });
      }
    },
    /** `ratio`: device pixels per CSS pixel. */
    mount: (mount: Mount | null, size: Size, ratio: number) => {
      const device = mount && mountTransform(mount, size);
      const next = device && { left: device.left / ratio, top: device.top / ratio, scale: device.scale / ratio };
      const differs = next && (!pose || next.left !== pose.left || next.top !== pose.top || next.scale !== pose.scale);
      pose = next;
      if (next && differs) emit({ type: 'mount.drawn', ...next });
    },
  };
};
