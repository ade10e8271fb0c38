import type { KeyCommand, Tool } from '../../viewer/index.ts';

/** What a button or a key of the room asks for. `stage`: done to the image in hand by the stage itself. */
export type RoomCommand =
  | { readonly type: 'stage'; readonly command: KeyCommand }
  | { readonly type: 'tool'; readonly tool: Tool }
  | { readonly type: 'step'; readonly by: 1 | -1 }
  | { readonly type: RoomDeed };

export type RoomDeed =
  | 'reset'
  | 'undo'
  | 'redo'
  | 'cine'
  | 'compare'
  | 'link'
  | 'overlays'
  | 'focus-mode'
  | 'fullscreen'
  | 'shortcuts'
  | 'open'
  | 'back';
