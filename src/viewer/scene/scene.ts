import { type Calibration, type Display, type Mark, plainDisplay } from '../../../contract/displays.ts';
import type { PresentationState } from '../../../contract/presentation-states.ts';

export type { Calibration, Display, Mark, PresentationState };
/** A window chosen by the user, in modality values. */
export type WindowChoice = Extract<NonNullable<Display['voi']>, { kind: 'window' }>;
/** One of the VOI LUTs of the file. */
export type LutChoice = Extract<NonNullable<Display['voi']>, { kind: 'lut' }>;

/** A display with its VOI resolved: the default of the file where the user has chosen none. */
export type ResolvedDisplay = Display & { readonly voi: NonNullable<Display['voi']> };

/** The image point in the middle of the rectangle, and device pixels per image pixel width (1 is 1:1). */
export interface Camera {
  readonly centreX: number;
  readonly centreY: number;
  readonly scale: number;
}

/**
 * 'fit' shows the whole image and follows the size of the stage; so does 'area' with the displayed area of the presentation state, if there is
 * one.
 */
export type View = 'fit' | 'area' | Camera;

/**
 * Position and size of an image. Without a mount in fractions of the stage: 0, 0 is the top left, 1, 1 the bottom right.
 * With a mount in the units of the mount.
 */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Calibration of an image; null when it has none, 'unknown' while it is being loaded. */
export type KnownCalibration = Calibration | null | 'unknown';

export interface SceneImage {
  readonly id: string;
  /** The key given to `loadBytes`. */
  readonly source: string;
  /** Frame number, from 1 (DICOM PS3.3 C.7.6.6). */
  readonly frame: number;
  readonly placement: Placement;
  readonly display: Display;
  readonly view: View;
  /** Marks of the image; only those of the shown frame are drawn. */
  readonly marks: readonly Mark[];
  /** Author and time of marks by id, as shown on hover. */
  readonly authorTexts?: Readonly<Record<string, string>>;
  readonly calibration: KnownCalibration;
  /** The display after a reset, for example rotated by its slot; the display of the file by default. */
  readonly plain?: Display;
  /** Gives the default grey values, and shutters and annotations, which are hidden with the marks. */
  readonly state?: PresentationState | null;
  /** A slice, or the slices of one file: the wheel goes to the next one, and zooms with Ctrl. */
  readonly isSlice?: boolean;
}

/** A mount: its size in its own units, and the part of it that is shown. `zoom` 1 shows all of it, as large as the stage allows. */
export interface Mount {
  readonly width: number;
  readonly height: number;
  readonly view: MountViewport;
  /** Images stay in their slots: dragging one pans the mount. */
  readonly isFixed?: boolean;
}

/** The mount point in the middle of the stage, and the zoom. */
export type MountViewport = 'fit' | { readonly centreX: number; readonly centreY: number; readonly zoom: number };

/**
 * The tool of the primary button or one finger. On a mount it drags images to other slots instead.
 * 'region' sets the window from the values of a rectangle; 'calibrate' asks for the true length of a line; 'magnifier' enlarges under the pointer.
 */
export type Tool = 'window' | 'pan' | 'zoom' | 'region' | 'magnifier' | MarkTool;
/** A tool that draws. */
export type MarkTool = Mark['kind'] | 'calibrate';

const otherTools: readonly Tool[] = ['window', 'pan', 'zoom', 'region', 'magnifier'];
export const isMarkTool = (tool: Tool): tool is MarkTool => !otherTools.includes(tool);

/** Everything that a stage shows. Immutable: a change is a new scene. */
export interface Scene {
  readonly images: readonly SceneImage[];
  /** The image that keys and tools act on; null when there is none. */
  readonly active: string | null;
  readonly tool: Tool;
  /** null when the images are side by side, or one fills the stage. */
  readonly mount: Mount | null;
  /** Zoom, pan and window of one image apply to all of them. */
  readonly linked: boolean;
  /** Only zoom and pan are linked. */
  readonly ownWindows: boolean;
  /** Marks are neither drawn nor hit; nor are shutters and annotations drawn. While a mark is being drawn, all are. */
  readonly marksHidden: boolean;
  /** Overlay planes of the files are not drawn. */
  readonly planesHidden: boolean;
}

export const wholeStage: Placement = { x: 0, y: 0, width: 1, height: 1 };

export const emptyScene: Scene = {
  images: [],
  active: null,
  tool: 'window',
  mount: null,
  linked: false,
  ownWindows: false,
  marksHidden: false,
  planesHidden: false,
};

/** Returns a scene of one image that fills the stage. */
export const sceneOf = (source: string, settings: Partial<Omit<SceneImage, 'source'>> = {}): Scene => {
  const image: SceneImage = {
    id: source,
    frame: 1,
    placement: wholeStage,
    display: plainDisplay,
    view: 'fit',
    marks: [],
    calibration: null,
    ...settings,
    source,
  };
  return { ...emptyScene, images: [image], active: image.id };
};

/** Returns the scene with one image replaced by `change(image)`; the same scene when there is no such image. */
export const withImage = (scene: Scene, id: string, change: (image: SceneImage) => SceneImage): Scene =>
  scene.images.some((image) => image.id === id)
    ? { ...scene, images: scene.images.map((image) => (image.id === id ? change(image) : image)) }
    : scene;
