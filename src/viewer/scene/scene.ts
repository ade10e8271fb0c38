import type { WindowFunction } from '../../../dicom/image-model.ts';

/** A window typed, dragged or preset by a person, in modality values. */
export interface WindowChoice {
  readonly kind: 'window';
  readonly centre: number;
  readonly width: number;
  readonly function: WindowFunction;
}

/** One of the VOI LUTs that the file carries, by its place in the header (0 is the first). */
export interface LutChoice {
  readonly kind: 'lut';
  readonly index: number;
}

export type Rotation = 0 | 90 | 180 | 270;

/** Strength of the noise filter: medians over 3 x 3 and 5 x 5 pixels, or a Gauss bell over 3 x 3. */
export type NoiseFilter = 'none' | 'median-3' | 'median-5' | 'gauss-3';

/** How one image is shown; a plain value that may be stored, compared and undone. */
export interface Display {
  readonly voi: WindowChoice | LutChoice;
  /** Turned by a person, on top of what the file asks for (MONOCHROME1 is shown white on black either way). */
  readonly inverted: boolean;
  /** Brightens middle greys when above 1: shown = grey ^ (1 / gamma). 0.1 to 10. */
  readonly gamma: number;
  /** Clockwise, after the flip. */
  readonly rotation: Rotation;
  /** Left and right of the stored picture are swapped, before the rotation. */
  readonly flipped: boolean;
  readonly noise: NoiseFilter;
  /** Unsharp masking: 0 (off) to 1. */
  readonly sharpness: number;
}

/** Where one looks: the image point in the middle of the place, and device pixels per width of an image pixel (1 is 1:1). */
export interface Camera {
  readonly centreX: number;
  readonly centreY: number;
  readonly scale: number;
}

/** 'fit' shows the whole picture and follows the size of the stage. */
export type View = 'fit' | Camera;

/** A part of the stage in fractions of its width and height: 0, 0 is the top left, 1, 1 the bottom right. */
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
  /** null: as the file asks to be shown. */
  readonly display: Display | null;
  readonly view: View;
}

/** What the left button, or one finger, does. */
export type Tool = 'window' | 'pan' | 'zoom';

/** All that a stage shows. Immutable: a change is a new scene. */
export interface Scene {
  readonly images: readonly SceneImage[];
  /** The image that keys and tools act on; null when there is none. */
  readonly active: string | null;
  readonly tool: Tool;
}

export const wholeStage: Place = { x: 0, y: 0, width: 1, height: 1 };

export const emptyScene: Scene = { images: [], active: null, tool: 'window' };

/** A scene of one picture that fills the stage. */
export const sceneOf = (source: string, settings: Partial<Omit<SceneImage, 'source'>> = {}): Scene => {
  const image: SceneImage = {
    id: source,
    frame: 1,
    place: wholeStage,
    display: null,
    view: 'fit',
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
