import type { Tool } from '../../../viewer/index.ts';

/** State that the buttons depend on. */
export interface ToolState {
  readonly tool: Tool;
  /** An image with pixels is active. */
  readonly held: boolean;
  /** The active image is loaded. */
  readonly ready: boolean;
  /** An image with pixels is shown. */
  readonly hasPictures: boolean;
  /** A single document or video is open, which has no pixels of its own on the stage. */
  readonly isDocument: boolean;
  readonly inverted: boolean;
  readonly horizontalFlip: boolean;
  readonly noise: boolean;
  readonly sharpened: boolean;
  readonly fitted: boolean;
  readonly actual: boolean;
  /** A single image is open and has neighbours. */
  readonly canStep: boolean;
  readonly canGoBack: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly canReset: boolean;
  /** Null when there is nothing to compare with. */
  readonly comparing: boolean | null;
  /** An image is active that earlier ones are searched for. */
  readonly canShowPrior: boolean;
  /** Whether the mount is shown beside an earlier one; null without a mount. */
  readonly comparingMounts: boolean | null;
  /** Two images are compared. */
  readonly canBlink: boolean;
  readonly isHistoryOpen: boolean;
  readonly linked: boolean;
  readonly overlays: boolean;
  readonly marksHidden: boolean;
  readonly planesHidden: boolean;
  readonly focusMode: boolean;
  readonly fullscreen: boolean;
  /** The images are shown in the second window. */
  readonly isPresented: boolean;
}
