import { type Display, plainDisplay } from '../../../contract/displays.ts';
import {
  type BoardView,
  emptyScene,
  type Place,
  type Scene,
  type SceneImage,
  type Tool,
  wholeStage,
} from '../../viewer/index.ts';
import type { ShownContent, ShownImage } from '../shown-content.ts';
import { compareGrid } from './compare-grid.ts';
import { shownImagesOf } from './room-content.ts';

/** How an image is kept, as far as a scene shows it. */
export type KeptSettings = Pick<SceneImage, 'display' | 'view' | 'frame' | 'marks' | 'calibration'>;

export interface SceneWishes {
  readonly content: ShownContent;
  readonly settingsOf: (shown: ShownImage) => KeptSettings;
  readonly inHand: string | null;
  readonly tool: Tool;
  readonly boardView: BoardView;
  readonly linked: boolean;
  /** Width by height of the stage. */
  readonly stageAspect: number;
}

/** Of the mount's width, on each side of an image. */
const gutter = 0.002;

/** As its file asks, turned as its slot asks; once a person has turned it, the slot says that turn, and upright is all that is left. */
export const plainOf = ({ item }: ShownImage): Display =>
  item && !item.display
    ? { ...plainDisplay, rotation: item.rotation, horizontalFlip: item.horizontalFlip }
    : plainDisplay;

/** How the archive says that an image was left. */
export const toldSettings = (shown: ShownImage): KeptSettings => ({
  display: (shown.item ? shown.item.display : shown.image.display) ?? plainOf(shown),
  view: 'fit',
  frame: 1,
  marks: shown.image.marks,
  calibration: shown.image.calibration,
});

/** Width by height of a picture as it is turned. */
const aspectOf = ({ width, height }: { width: number; height: number }, rotation: number): number => {
  const angle = (rotation * Math.PI) / 180;
  const [cosine, sine] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return (width * cosine + height * sine) / Math.max(1, width * sine + height * cosine);
};

const slotPlace = ({ item }: ShownImage, margin: number): Place =>
  item
    ? {
        x: item.xPos + margin,
        y: item.yPos + margin,
        width: item.width - 2 * margin,
        height: item.height - 2 * margin,
      }
    : wholeStage;

/** The scene that a content is. Pure: the same wishes make the same scene. */
export const sceneOfContent = (wishes: SceneWishes): Scene => {
  const { content, settingsOf, inHand, tool, boardView, linked, stageAspect } = wishes;
  const shown = shownImagesOf(content);
  const kept = shown.map(settingsOf);
  const isMount = content.kind === 'mount';
  const grid =
    content.kind === 'compare'
      ? compareGrid(
          shown.map(({ image }, index) => aspectOf(image, kept[index]?.display.rotation ?? 0)),
          stageAspect,
        )
      : [];
  const images = shown.map((one, index): SceneImage => {
    const settings = kept[index] ?? settingsOf(one);
    return {
      id: one.image.uid,
      source: one.image.uid,
      ...settings,
      plain: plainOf(one),
      // In a mount every image is seen whole, wherever one looked when it was alone.
      view: isMount ? 'fit' : settings.view,
      place: isMount ? slotPlace(one, gutter * content.viewset.width) : (grid[index] ?? wholeStage),
    };
  });
  return {
    ...emptyScene,
    images,
    active: images.some(({ id }) => id === inHand) ? inHand : null,
    tool,
    board: isMount ? { width: content.viewset.width, height: content.viewset.height, view: boardView } : null,
    linked: content.kind === 'compare' && linked,
  };
};
