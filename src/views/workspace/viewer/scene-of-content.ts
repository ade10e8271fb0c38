import { type Display, plainDisplay } from '../../../../contract/displays.ts';
import type { ImageSettings } from '../../../machines/viewer/viewer.rules.ts';
import {
  emptyScene,
  type MountViewport,
  type Placement,
  type Scene,
  type SceneImage,
  type Tool,
  wholeStage,
} from '../../../viewer/index.ts';
import type { ShownContent, ShownImage } from '../../app/shown-content.ts';
import { authorTextsOf, savedMarks } from './saved-marks.ts';
import { isSlice } from './slices.ts';

const none: readonly ShownImage[] = [];

/** Returns the images of a content that have pixels, in order; documents are not drawn. */
export const shownImagesOf = (content: ShownContent | null): readonly ShownImage[] => {
  if (!content) return none;
  const all =
    content.kind === 'mount'
      ? content.viewset.viewSetItems.flatMap((item) =>
          item.activeImage ? [{ image: item.activeImage, item, viewsetId: content.viewset.viewSetUuid }] : [],
        )
      : content.kind === 'image'
        ? [content.shown]
        : content.images;
  return all.filter(({ image }) => image.kind === 'image');
};

/** Returns the active image as the content contains it; it may be a document. */
export const shownOf = (content: ShownContent, imageUid: string | null): ShownImage | null =>
  content.kind === 'image' && content.shown.image.uid === imageUid
    ? content.shown
    : (shownImagesOf(content).find(({ image }) => image.uid === imageUid) ?? null);

/** Settings of an image as used by a scene. */
export type ShownSettings = Pick<SceneImage, 'display' | 'view' | 'frame' | 'marks' | 'calibration'>;

export interface SceneOptions {
  readonly content: ShownContent;
  readonly settingsOf: (shown: ShownImage) => ShownSettings;
  readonly activeUid: string | null;
  readonly tool: Tool;
  readonly mountView: MountViewport;
  readonly linked: boolean;
  readonly marksHidden: boolean;
  /** Text of author and time of a mark. */
  readonly authorTextOf: Parameters<typeof authorTextsOf>[2];
  /** Width by height of the stage. */
  readonly stageAspect: number;
}

/** Margin around an image, as a fraction of the mount's width. */
const gutter = 0.002;

/** Returns the reset display: the slot's orientation, or the default once a user has changed it. */
export const plainOf = ({ item }: ShownImage): Display =>
  item && !item.display
    ? { ...plainDisplay, rotation: item.rotation, horizontalFlip: item.horizontalFlip }
    : plainDisplay;

/** Returns the settings as saved on the server. */
export const savedSettings = (shown: ShownImage): ImageSettings => ({
  display: (shown.item ? shown.item.display : shown.image.display) ?? plainOf(shown),
  view: 'fit',
  frame: 1,
  marks: savedMarks(shown.image),
  calibration: shown.image.calibration,
  isCalibrationKnown: true,
});

/** Returns width by height after rotation. */
const aspectOf = ({ width, height }: { width: number; height: number }, rotation: number): number => {
  const angle = (rotation * Math.PI) / 180;
  const [cosine, sine] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return (width * cosine + height * sine) / Math.max(1, width * sine + height * cosine);
};

const slotPlace = ({ item }: ShownImage, margin: number): Placement =>
  item
    ? {
        x: item.xPos + margin,
        y: item.yPos + margin,
        width: item.width - 2 * margin,
        height: item.height - 2 * margin,
      }
    : wholeStage;

/**
 * Places images side by side in the number of columns that shows them largest. `aspects` are width by height after rotation, `stage`
 * is that of the stage. Returns places in fractions of the stage, row by row.
 */
export const compareGrid = (aspects: readonly number[], stage: number): readonly Placement[] => {
  const count = aspects.length;
  const seenIn = (columns: number) => {
    const cell = { width: stage / columns, height: 1 / Math.ceil(count / columns) };
    return aspects
      .map((aspect) => {
        const height = Math.min(cell.height, cell.width / aspect);
        return height * height * aspect;
      })
      .reduce((sum, area) => sum + area, 0);
  };
  const columns = aspects
    .map((_, index) => index + 1)
    .reduce((best, next) => (seenIn(next) > seenIn(best) * 1.001 ? next : best), 1);
  const rows = Math.ceil(count / columns);
  return aspects.map((_, index) => ({
    x: (index % columns) / columns,
    y: Math.floor(index / columns) / rows,
    width: 1 / columns,
    height: 1 / rows,
  }));
};

const sideBySide: readonly Placement[] = [
  { ...wholeStage, width: 0.5 },
  { ...wholeStage, x: 0.5, width: 0.5 },
];

/** Places compared images; an earlier and a current one side by side, unless the stage is taller than wide. */
const placesOf = (
  content: ShownContent & { kind: 'compare' },
  settings: readonly ShownSettings[],
  stageAspect: number,
): readonly Placement[] => {
  if (content.prior && stageAspect >= 1) return sideBySide;
  const shown = shownImagesOf(content);
  return compareGrid(
    shown.map(({ image }, index) => aspectOf(image, settings[index]?.display.rotation ?? 0)),
    stageAspect,
  );
};

/** Builds the scene of a content. Pure. */
export const sceneOfContent = (options: SceneOptions): Scene => {
  const { content, settingsOf, activeUid, tool, mountView, linked, marksHidden, authorTextOf, stageAspect } = options;
  const shown = shownImagesOf(content);
  const knownSettings = shown.map(settingsOf);
  const isMount = content.kind === 'mount';
  const grid = content.kind === 'compare' ? placesOf(content, knownSettings, stageAspect) : [];
  const images = shown.map((one, index): SceneImage => {
    const settings = knownSettings[index] ?? settingsOf(one);
    return {
      id: one.image.uid,
      source: one.image.uid,
      ...settings,
      authorTexts: authorTextsOf(one.image, settings.marks, authorTextOf),
      plain: plainOf(one),
      isSlice: content.kind === 'image' && isSlice(one.image),
      // In a mount every image is fitted, whatever its own view.
      view: isMount ? 'fit' : settings.view,
      placement: isMount ? slotPlace(one, gutter * content.viewset.width) : (grid[index] ?? wholeStage),
    };
  });
  return {
    ...emptyScene,
    images,
    active: images.some(({ id }) => id === activeUid) ? activeUid : null,
    tool,
    mount: isMount ? { width: content.viewset.width, height: content.viewset.height, view: mountView } : null,
    linked: content.kind === 'compare' && linked,
    marksHidden,
    ownWindows: content.kind === 'compare' && content.prior !== null,
  };
};
