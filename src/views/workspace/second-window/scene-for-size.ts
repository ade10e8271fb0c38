import type { Scene } from '../../../viewer/index.ts';

/** In device pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Returns the scene for a stage of another size: each image shows the same part. A mount follows its stage by itself. */
export const sceneForSize = (scene: Scene, from: Box, to: Box): Scene => {
  const factor = Math.min(to.width / from.width, to.height / from.height);
  const images = scene.images.map((image) =>
    typeof image.view === 'string' ? image : { ...image, view: { ...image.view, scale: image.view.scale * factor } },
  );
  return { ...scene, images, tool: 'window' };
};
