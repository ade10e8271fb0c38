import type { LoadedImage } from '../decode/loaded-image.ts';
import type { BoardView, Camera, Display, DrawnDisplay, Mark, Tool } from '../scene/scene.ts';

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
  | 'sharpen'
  | 'reset';

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
  /** A person touched an image that is not the active one; on a board: clicked any image, or takes hold of its window. */
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
      readonly display: DrawnDisplay;
      readonly camera: Camera;
      /** Which of the archive's levels is drawn; 'reduced' becomes 'full' as soon as it is there, when the size on screen asks for it. */
      readonly level: 'full' | 'reduced';
      /** The filters of the display are still being worked out; what is drawn lacks them. */
      readonly filtering: boolean;
    }
  /** On a board: an image is picked up to be carried elsewhere. The stage lets go of the pointer; whoever listens follows it. */
  | {
      readonly type: 'image.carried';
      readonly id: string;
      readonly pointerId: number;
      readonly clientX: number;
      readonly clientY: number;
    }
  /** A double click or double tap on an image of a board: a wish to see it alone. */
  | { readonly type: 'image.opened'; readonly id: string }
  /** A click on a board where no image is, be it an empty slot or bare ground; in board units. */
  | { readonly type: 'board.pressed'; readonly x: number; readonly y: number }
  /** Where the board lies now: CSS pixels from the corner of the stage, and CSS pixels per board unit. Once a drawn frame in which it differs. */
  | { readonly type: 'board.drawn'; readonly left: number; readonly top: number; readonly scale: number }
  | { readonly type: 'board.settled'; readonly view: BoardView }
  /** A measurement was drawn, moved or deleted: all that the image has now. */
  | { readonly type: 'marks.settled'; readonly id: string; readonly marks: readonly Mark[] }
  /** A line of the calibration tool: how many image pixel widths it is long. Its true length is to be asked. */
  | { readonly type: 'calibration.drawn'; readonly id: string; readonly lengthPixels: number }
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
