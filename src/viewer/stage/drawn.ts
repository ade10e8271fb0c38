import type { ShownImage } from '../layers/image-layer.ts';
import { type BoardPose, poseOf } from '../scene/board.ts';
import { type Size, sameView } from '../scene/camera.ts';
import { sameDisplay } from '../scene/display.ts';
import type { Board, Camera, DrawnDisplay } from '../scene/scene.ts';
import type { Intents } from './intents.ts';

interface Drawn {
  readonly display: DrawnDisplay;
  readonly camera: Camera;
  readonly level: 'full' | 'reduced';
  readonly filtering: boolean;
}

const sameDrawn = (one: Drawn, other: Drawn) =>
  one.level === other.level &&
  one.filtering === other.filtering &&
  sameDisplay(one.display, other.display) &&
  sameView(one.camera, other.camera);

/** Tells what is drawn, once a frame in which it differs: images as `view.drawn`, the board as `board.drawn`. */
export const createDrawnNews = (emit: Intents['emit']) => {
  let images = new Map<string, Drawn>();
  let pose: BoardPose | null = null;
  return {
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
    board: (board: Board | null, size: Size, ratio: number) => {
      const device = board && poseOf(board, size);
      const next = device && { left: device.left / ratio, top: device.top / ratio, scale: device.scale / ratio };
      const differs = next && (!pose || next.left !== pose.left || next.top !== pose.top || next.scale !== pose.scale);
      pose = next;
      if (next && differs) emit({ type: 'board.drawn', ...next });
    },
  };
};
