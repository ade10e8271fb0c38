import { plainDisplay } from '../../../contract/displays.ts';
import type { StageImage } from '../gesture/target.ts';
import { cameraOf, type Point, type Rectangle, rectangleOf, type Size } from '../scene/camera.ts';
import { mountTransform, rectangleOnMount } from '../scene/mount.ts';
import { presentedImage } from '../scene/presented-image.ts';
import type { Placement, Scene, SceneImage } from '../scene/scene.ts';
import type { ImageLoads } from './image-loads.ts';
import type { LiveMount } from './live-mount.ts';
import type { LiveViews } from './live-views.ts';

/** The current state of a stage. */
export interface StageState {
  readonly scene: () => Scene;
  readonly size: () => Size;
  readonly views: LiveViews;
  readonly mount: LiveMount;
  readonly imageLoads: Pick<ImageLoads, 'of'>;
}

/** The images of a stage with their current positions. */
export interface StageImages {
  readonly of: (id: string) => StageImage | null;
  /** The image whose rectangle is under a point (device pixels), loaded or not. */
  readonly idAt: (point: Point) => string | null;
  /** The loaded images, in the order of the scene. */
  readonly all: () => readonly StageImage[];
  /** Whether a part of it is on the stage: a mount can be larger. */
  readonly isSeen: (stageImage: StageImage) => boolean;
}

const holds = ({ x, y, width, height }: Rectangle, point: Point) =>
  point.x >= x && point.y >= y && point.x < x + width && point.y < y + height;

const meets = ({ x, y, width, height }: Rectangle, stage: Size) =>
  x < stage.width && y < stage.height && x + width > 0 && y + height > 0;

export const createStageImages = ({ scene, size, views, mount, imageLoads }: StageState): StageImages => {
  const rectangle = (placement: Placement): Rectangle => {
    const now = mount.now();
    return now ? rectangleOnMount(placement, mountTransform(now, size())) : rectangleOf(placement, size());
  };

  const stageImageOf = (sceneImage: SceneImage): StageImage | null => {
    const { id, calibration, plain, authorTexts = {} } = sceneImage;
    const loaded = imageLoads.of(id)?.image;
    const live = views.of(id);
    if (!loaded || !live) return null;
    const image = presentedImage(loaded, sceneImage.state);
    const { display, marks } = live;
    const box = rectangle(sceneImage.placement);
    const orientation = { ...display, pixelAspect: image.pixelAspect };
    return {
      id,
      image,
      isSlice: sceneImage.isSlice ?? false,
      frame: sceneImage.frame,
      rectangle: box,
      display,
      drawn: { ...display, voi: display.voi ?? image.original.voi },
      orientation,
      // On a mount every image is shown completely: the mount is zoomed instead.
      camera: cameraOf(mount.now() ? 'fit' : live.view, image, box, orientation),
      marks,
      authorTexts,
      calibration,
      plain: plain ?? plainDisplay,
    };
  };

  return {
    of: (id) => {
      const found = scene().images.find((image) => image.id === id);
      return found ? stageImageOf(found) : null;
    },
    idAt: (point) => scene().images.findLast(({ placement: place }) => holds(rectangle(place), point))?.id ?? null,
    all: () =>
      scene()
        .images.map(stageImageOf)
        .filter((stageImage) => stageImage !== null),
    isSeen: (stageImage) => meets(stageImage.rectangle, size()),
  };
};
