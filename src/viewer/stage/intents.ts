import type { LoadedImage } from '../decode/loaded-image.ts';
import type { Camera, Display, Tool } from '../scene/scene.ts';

export type Gesture = 'window' | 'pan' | 'zoom' | 'fit' | 'actual-size' | 'rotate' | 'flip' | 'invert' | 'reset';

/** What a stage tells. Facts and wishes; the scene changes only when somebody shows another one. */
export type Intent =
  /** The picture is decoded and will be in the next frame drawn. */
  | { readonly type: 'image.loaded'; readonly id: string; readonly image: LoadedImage }
  | {
      readonly type: 'image.progressed';
      readonly id: string;
      readonly loadedBytes: number;
      readonly totalBytes: number | null;
    }
  | { readonly type: 'image.failed'; readonly id: string; readonly error: Error }
  /** A person touched an image that is not the active one. */
  | { readonly type: 'image.chosen'; readonly id: string }
  /** Between these two the stage draws by itself. A key press is both at once. */
  | { readonly type: 'gesture.begun'; readonly id: string; readonly gesture: Gesture }
  | {
      readonly type: 'gesture.settled';
      readonly id: string;
      readonly gesture: Gesture;
      readonly display: Display;
      /** 'fit' as long as the picture follows the size of the stage. */
      readonly view: 'fit' | Camera;
    }
  | { readonly type: 'tool.wanted'; readonly tool: Tool }
  | { readonly type: 'frame.wanted'; readonly id: string; readonly frame: number }
  /** What is drawn now: device pixels per image pixel, and the display. Once a drawn frame in which it differs. */
  | {
      readonly type: 'view.drawn';
      readonly id: string;
      readonly display: Display;
      readonly camera: Camera;
    }
  /** The pixel under the pointer: column and row from 0; stored and modality value, one of each channel. */
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
  /** Returns the function that stops listening. */
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
