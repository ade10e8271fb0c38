import { type Display, plainDisplay } from '../../../../contract/displays.ts';
import { imageKindOf } from '../../../../contract/image-kinds.ts';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { Viewset } from '../../../../contract/viewsets.ts';
import type { ImageSettings } from '../../../machines/viewer/viewer.rules.ts';
import {
  emptyScene,
  type MountViewport,
  type Placement,
  type PresentationState,
  type Scene,
  type SceneImage,
  type Tool,
  wholeStage,
} from '../../../viewer/index.ts';
import type { ShownContent, ShownImage } from '../../app/shown-content.ts';
import { type MountPart, mountPairLayout } from '../viewset/mount-pair-layout.ts';
import { authorTextsOf, savedMarks } from './saved-marks.ts';

/** Returns whether an image is one of several slices, or a file of slices. */
export const isSlice = ({ seriesModalityValue }: Pick<ImageInfo, 'seriesModalityValue'>): boolean =>
  imageKindOf(seriesModalityValue, []) === 'slice';

const none: readonly ShownImage[] = [];

const mountedIn = ({ viewSetItems, viewSetUuid }: Viewset): readonly ShownImage[] =>
  viewSetItems.flatMap((item) => (item.activeImage ? [{ image: item.activeImage, item, viewsetId: viewSetUuid }] : []));

/** Returns the images of both mounts; one that is in both only in the current one. */
const mountedInBoth = ({ viewsets, prior }: Extract<ShownContent, { kind: 'mounts' }>): readonly ShownImage[] => {
  const all = viewsets.flatMap(mountedIn);
  const current = new Set(all.filter(({ viewsetId }) => viewsetId === prior.currentId).map(({ image }) => image.uid));
  return all.filter(({ image, viewsetId }) => viewsetId === prior.currentId || !current.has(image.uid));
};

const allImagesOf = (content: ShownContent): readonly ShownImage[] => {
  if (content.kind === 'mount') return mountedIn(content.viewset);
  if (content.kind === 'mounts') return mountedInBoth(content);
  return content.kind === 'image' ? [content.shown] : content.images;
};

/** Returns the images of a content that have pixels, in order; documents are not drawn. */
export const shownImagesOf = (content: ShownContent | null): readonly ShownImage[] =>
  content ? allImagesOf(content).filter(({ image }) => image.kind === 'image') : none;

/** Returns the active image as the content contains it; it may be a document. */
export const shownOf = (content: ShownContent, imageUid: string | null): ShownImage | null =>
  content.kind === 'image' && content.shown.image.uid === imageUid
    ? content.shown
    : (shownImagesOf(content).find(({ image }) => image.uid === imageUid) ?? null);

/** Returns what identifies the shown mount or mounts; null for other content. */
export const mountIdOf = (content: ShownContent): string | null => {
  if (content.kind === 'mounts') return content.viewsets.map(({ viewSetUuid }) => viewSetUuid).join();
  return content.kind === 'mount' ? content.viewset.viewSetUuid : null;
};

/** Settings of an image as used by a scene. */
export type ShownSettings = Pick<SceneImage, 'display' | 'view' | 'frame' | 'marks' | 'calibration'>;

export interface SceneOptions {
  readonly content: ShownContent;
  readonly settingsOf: (shown: ShownImage) => ShownSettings;
  /** The presentation state that an image is shown with. */
  readonly stateOf: (imageUid: string) => PresentationState | null;
  readonly activeUid: string | null;
  readonly tool: Tool;
  readonly mountView: MountViewport;
  readonly linked: boolean;
  readonly marksHidden: boolean;
  readonly planesHidden: boolean;
  /** Text of author and time of a mark. */
  readonly authorTextOf: Parameters<typeof authorTextsOf>[2];
  /** Size of the stage in CSS pixels. */
  readonly stage: { readonly width: number; readonly height: number };
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

/** Returns the place of an image in its slot. `part`: where its mount is. */
const slotPlace = ({ item }: ShownImage, { x, y, scale }: MountPart, margin: number): Placement =>
  item
    ? {
        x: x + item.xPos * scale + margin,
        y: y + item.yPos * scale + margin,
        width: item.width * scale - 2 * margin,
        height: item.height * scale - 2 * margin,
      }
    : wholeStage;

const wholeMount: MountPart = { x: 0, y: 0, scale: 1 };

interface MountArea {
  readonly width: number;
  readonly height: number;
  readonly partOf: (shown: ShownImage) => MountPart;
}

/** Returns the area of a mount or of two mounts; null for other content. */
const mountAreaOf = (content: ShownContent, stage: SceneOptions['stage']): MountArea | null => {
  if (content.kind === 'mount')
    return { width: content.viewset.width, height: content.viewset.height, partOf: () => wholeMount };
  if (content.kind !== 'mounts') return null;
  const { parts, ...size } = mountPairLayout(content.viewsets, stage);
  return { ...size, partOf: ({ viewsetId }) => parts[content.viewsets[0].viewSetUuid === viewsetId ? 0 : 1] };
};

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
  const { content, settingsOf, stateOf, activeUid, tool, mountView, linked, authorTextOf, stage } = options;
  const shown = shownImagesOf(content);
  const knownSettings = shown.map(settingsOf);
  const stageAspect = stage.height > 0 ? stage.width / stage.height : 1;
  const area = mountAreaOf(content, stage);
  const grid = content.kind === 'compare' ? placesOf(content, knownSettings, stageAspect) : [];
  const images = shown.map((one, index): SceneImage => {
    const settings = knownSettings[index] ?? settingsOf(one);
    return {
      id: one.image.uid,
      source: one.image.uid,
      ...settings,
      authorTexts: authorTextsOf(one.image, settings.marks, authorTextOf),
      plain: plainOf(one),
      state: stateOf(one.image.uid),
      isSlice: content.kind === 'image' && isSlice(one.image),
      // In a mount every image is fitted, whatever its own view.
      view: area ? 'fit' : settings.view,
      placement: area ? slotPlace(one, area.partOf(one), gutter * area.width) : (grid[index] ?? wholeStage),
    };
  });
  return {
    ...emptyScene,
    images,
    active: images.some(({ id }) => id === activeUid) ? activeUid : null,
    tool,
    mount: area && {
      width: area.width,
      height: area.height,
      view: mountView,
      ...(content.kind === 'mounts' && { isFixed: true }),
    },
    linked: content.kind === 'compare' && linked,
    marksHidden: options.marksHidden,
    planesHidden: options.planesHidden,
    ownWindows: content.kind === 'compare' && content.prior !== null,
  };
};
