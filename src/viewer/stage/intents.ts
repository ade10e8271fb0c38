import type { LoadedImage } from '../decode/loaded-image.ts';
import type { Camera, Display, Mark, MountViewport, ResolvedDisplay, Tool, View } from '../scene/scene.ts';

export type Gesture =
  | 'window'
  | 'pan'
  | 'zoom'
  | 'fit'
  | 'actual-size'
  | 'rotate'
  | 'flip'
  | 'invert'
  | 'noise'
  | 'sharpen';

/** A linked image after a gesture on another one. */
export interface FollowedImage {
  readonly id: string;
  readonly display: Display;
  readonly view: View;
}

/** Events of a stage: facts and requests. The scene itself changes only by `show`. */
export type Intent =
  /** The image is decoded and will be in the next frame. */
  | { readonly type: 'image.loaded'; readonly id: string; readonly image: LoadedImage }
  | {
      readonly type: 'image.progressed';
      readonly id: string;
      readonly loadedBytes: number;
      readonly totalBytes: number | null;
    }
  | { readonly type: 'image.failed'; readonly id: string; readonly error: Error }
  /** The user pressed an image that is not active; on a mount: clicked an image or started to drag its window. */
  | { readonly type: 'image.chosen'; readonly id: string }
  /** Between these two the stage shows its own live state. A key press emits both at once. */
  | { readonly type: 'gesture.begun'; readonly id: string; readonly gesture: Gesture }
  | {
      readonly type: 'gesture.settled';
      readonly id: string;
      readonly gesture: Gesture;
      readonly display: Display;
      readonly view: View;
      /** The linked images that changed too. */
      readonly followed: readonly FollowedImage[];
    }
  /** The display of an image is to be reset. Only the listener knows the saved display. */
  | { readonly type: 'reset.requested'; readonly id: string }
  | { readonly type: 'tool.requested'; readonly tool: Tool }
  | { readonly type: 'frame.requested'; readonly id: string; readonly frame: number }
  /** The next or previous slice, which is an image of its own. */
  | { readonly type: 'slice.requested'; readonly id: string; readonly by: 1 | -1 }
  /** Camera and display as drawn. Emitted after each frame in which they changed. */
  | {
      readonly type: 'view.drawn';
      readonly id: string;
      readonly display: ResolvedDisplay;
      readonly camera: Camera;
      /** The level that is drawn; 'reduced' becomes 'full' when the size on screen needs it and it is loaded. */
      readonly level: 'full' | 'reduced';
      /** The filters of the display are still being computed; the drawn image lacks them. */
      readonly filtering: boolean;
    }
  /** The user starts to drag an image of a mount. The stage releases the pointer; the listener follows it. */
  | {
      readonly type: 'image.dragged';
      readonly id: string;
      readonly pointerId: number;
      readonly clientX: number;
      readonly clientY: number;
    }
  /** A double click or double tap on an image of a mount: it is to be opened alone. */
  | { readonly type: 'image.opened'; readonly id: string }
  /** A click on a mount outside all images (an empty slot or the background); in mount units. */
  | { readonly type: 'mount.pressed'; readonly x: number; readonly y: number }
  /** Position of the mount: CSS pixels from the corner of the stage, and CSS pixels per mount unit. Emitted after each frame in which it changed. */
  | { readonly type: 'mount.drawn'; readonly left: number; readonly top: number; readonly scale: number }
  | { readonly type: 'mount.settled'; readonly view: MountViewport }
  /** A measurement was drawn, moved or deleted; `marks` are all of the image. */
  | { readonly type: 'marks.settled'; readonly id: string; readonly marks: readonly Mark[] }
  /** A line of the calibration tool was drawn: its length in image pixel widths. The listener asks for its true length. */
  | { readonly type: 'calibration.drawn'; readonly id: string; readonly lengthPixels: number }
  /** The pixel under the pointer: column and row from 0; stored and modality value of each channel. */
  | {
      readonly type: 'pointer.value';
      readonly id: string;
      readonly x: number;
      readonly y: number;
      readonly stored: readonly number[];
      readonly modality: readonly number[];
    }
  | { readonly type: 'pointer.left' }
  | { readonly type: 'stage.failed'; readonly error: Error };

export type IntentType = Intent['type'];
export type IntentOf<Type extends IntentType> = Extract<Intent, { type: Type }>;

export interface Intents {
  readonly emit: (intent: Intent) => void;
  /** Returns the function that removes the listener. */
  readonly on: <Type extends IntentType>(type: Type, listener: (intent: IntentOf<Type>) => void) => () => void;
  readonly clear: () => void;
}

export const createIntents = (): Intents => {
  const listeners = new Map<IntentType, Set<(intent: never) => void>>();
  return {
    emit: (intent) => {
      for (const listener of [...(listeners.get(intent.type) ?? [])]) (listener as (intent: Intent) => void)(intent);
    },
    on: (type, listener) => {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener as (intent: never) => void));
      return () => {
        set.delete(listener as (intent: never) => void);
      };
    },
    clear: () => listeners.clear(),
  };
};
