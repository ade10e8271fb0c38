import { type Display, plainDisplay } from '../../../contract/displays.ts';

/** Image point in the middle, and device pixels per image pixel; 'fit' follows the size of the stage. */
export type CameraView = 'fit' | { readonly centreX: number; readonly centreY: number; readonly scale: number };

export type ViewerTool = 'window' | 'pan' | 'zoom' | 'region' | 'length' | 'angle' | 'calibrate' | 'magnifier';

/** How a person left an image. */
export interface ImageSettings {
  readonly display: Display;
  readonly view: CameraView;
  /** From 1. */
  readonly frame: number;
}

/** Settings that no longer fit an undo step are dropped, oldest first. */
export const longestHistory = 50;

export const freshSettings: ImageSettings = { display: plainDisplay, view: 'fit', frame: 1 };

export type SettingsByImage = Readonly<Record<string, ImageSettings>>;

export const settingsOf = (settings: SettingsByImage, imageUid: string | null): ImageSettings =>
  (imageUid !== null ? settings[imageUid] : undefined) ?? freshSettings;

export const withSettings = (
  settings: SettingsByImage,
  imageUid: string | null,
  change: Partial<ImageSettings>,
): SettingsByImage =>
  imageUid === null ? settings : { ...settings, [imageUid]: { ...settingsOf(settings, imageUid), ...change } };

export const isFresh = ({ display, view }: ImageSettings): boolean => display === plainDisplay && view === 'fit';

/** The history with one more step back. */
export const withStep = (history: readonly ImageSettings[], step: ImageSettings): readonly ImageSettings[] =>
  [...history, step].slice(-longestHistory);
