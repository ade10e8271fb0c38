import { plainDisplay } from '../../../contract/displays.ts';
import type { Subject } from '../gesture/target.ts';
import { poseOf, rectangleOnBoard } from '../scene/board.ts';
import { cameraOf, type Point, type Rectangle, rectangleOf, type Size } from '../scene/camera.ts';
import type { Place, Scene, SceneImage } from '../scene/scene.ts';
import type { LiveBoard } from './live-board.ts';
import type { LiveViews } from './live-views.ts';
import type { Pictures } from './pictures.ts';

/** Where a stage stands at this moment. */
export interface Standing {
  readonly scene: () => Scene;
  readonly size: () => Size;
  readonly views: LiveViews;
  readonly board: LiveBoard;
  readonly pictures: Pick<Pictures, 'of'>;
}

/** The images of a stage as they lie on it now. */
export interface Subjects {
  readonly of: (id: string) => Subject | null;
  /** The image whose place is under a point (device pixels), be it loaded or not. */
  readonly idAt: (point: Point) => string | null;
  /** Those that are loaded, in the order of the scene. */
  readonly all: () => readonly Subject[];
  /** Whether something of it lies on the stage: a board can be larger. */
  readonly isSeen: (subject: Subject) => boolean;
}

const holds = ({ x, y, width, height }: Rectangle, point: Point) =>
  point.x >= x && point.y >= y && point.x < x + width && point.y < y + height;

const meets = ({ x, y, width, height }: Rectangle, stage: Size) =>
  x < stage.width && y < stage.height && x + width > 0 && y + height > 0;

export const createSubjects = ({ scene, size, views, board, pictures }: Standing): Subjects => {
  const rectangle = (place: Place): Rectangle => {
    const now = board.now();
    return now ? rectangleOnBoard(place, poseOf(now, size())) : rectangleOf(place, size());
  };

  const subjectOf = (sceneImage: SceneImage): Subject | null => {
    const { id, calibration, plain } = sceneImage;
    const image = pictures.of(id)?.image;
    const live = views.of(id);
    if (!image || !live) return null;
    const { display, marks } = live;
    const box = rectangle(sceneImage.place);
    const orientation = { ...display, pixelAspect: image.pixelAspect };
    return {
      id,
      image,
      frame: sceneImage.frame,
      rectangle: box,
      display,
      drawn: { ...display, voi: display.voi ?? image.original.voi },
      orientation,
      // On a board every image is seen whole: one zooms the board.
      camera: cameraOf(board.now() ? 'fit' : live.view, image, box, orientation),
      marks,
      calibration,
      plain: plain ?? plainDisplay,
    };
  };

  return {
    of: (id) => {
      const found = scene().images.find((image) => image.id === id);
      return found ? subjectOf(found) : null;
    },
    idAt: (point) => scene().images.findLast(({ place }) => holds(rectangle(place), point))?.id ?? null,
    all: () =>
      scene()
        .images.map(subjectOf)
        .filter((subject) => subject !== null),
    isSeen: (subject) => meets(subject.rectangle, size()),
  };
};
