import { type Calibration, type Display, type Mark, plainDisplay } from '../../../contract/displays.ts';

export type { Calibration, Display, Mark };
/** A window typed, dragged or preset by a person, in modality values. */
export type WindowChoice = Extract<NonNullable<Display['voi']>, { kind: 'window' }>;
/** One of the VOI LUTs that the file carries. */
export type LutChoice = Extract<NonNullable<Display['voi']>, { kind: 'lut' }>;

/** A display whose VOI step is known: what the file asks for put in where a person chose nothing. */
export type DrawnDisplay = Display & { readonly voi: NonNullable<Display['voi']> };

/** Where one looks: the image point in the middle of the place, and device pixels per width of an image pixel (1 is 1:1). */
export interface Camera {
  readonly centreX: number;
  readonly centreY: number;
  readonly scale: number;
}

/** 'fit' shows the whole picture and follows the size of the stage. */
export type View = 'fit' | Camera;

/**
 * A part of the stage. Without a board in fractions of its width and height: 0, 0 is the top left, 1, 1 the bottom right.
 * With a board in the board's own units.
 */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SceneImage {
  readonly id: string;
  /** The key given to `loadBytes`. */
  readonly source: string;
  /** Frame number, from 1 (DICOM PS3.3 C.7.6.6). */
  readonly frame: number;
  readonly place: Place;
  readonly display: Display;
  readonly view: View;
  /** Measurements to show; those of other frames are left out. */
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  /** What a reset goes back to, such as turned as its slot asks; as the file asks when left out. */
  readonly plain?: Display;
}

/** A mount: its size in its own units, and where one looks at it. `zoom` 1 shows it whole, as large as the stage allows. */
export interface Board {
  readonly width: number;
  readonly height: number;
  readonly view: BoardView;
}

/** The board point in the middle of the stage. */
export type BoardView = 'fit' | { readonly centreX: number; readonly centreY: number; readonly zoom: number };

/**
 * What the left button, or one finger, does. On a board it carries images to other slots, whatever the tool.
 * 'region' sets the window by the values of a rectangle; 'calibrate' asks for the true length of a line; 'magnifier' enlarges under the pointer.
 */
export type Tool = 'window' | 'pan' | 'zoom' | 'region' | 'length' | 'angle' | 'calibrate' | 'magnifier';

/** All that a stage shows. Immutable: a change is a new scene. */
export interface Scene {
  readonly images: readonly SceneImage[];
  /** The image that keys and tools act on; null when there is none. */
  readonly active: string | null;
  readonly tool: Tool;
  /** null: the images lie side by side, or one fills the stage. */
  readonly board: Board | null;
  /** Zoom, pan and window of one image are done to all of them. */
  readonly linked: boolean;
}

export const wholeStage: Place = { x: 0, y: 0, width: 1, height: 1 };

export const emptyScene: Scene = { images: [], active: null, tool: 'window', board: null, linked: false };

/** A scene of one picture that fills the stage. */
export const sceneOf = (source: string, settings: Partial<Omit<SceneImage, 'source'>> = {}): Scene => {
  const image: SceneImage = {
    id: source,
    frame: 1,
    place: wholeStage,
    display: plainDisplay,
    view: 'fit',
    marks: [],
    calibration: null,
    ...settings,
    source,
  };
  return { ...emptyScene, images: [image], active: image.id };
};

/** The scene with one image replaced by `change(image)`; the same scene when there is no such image. */
export const withImage = (scene: Scene, id: string, change: (image: SceneImage) => SceneImage): Scene =>
  scene.images.some((image) => image.id === id)
    ? { ...scene, images: scene.images.map((image) => (image.id === id ? change(image) : image)) }
    : scene;
