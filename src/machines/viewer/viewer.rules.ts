/** How an image is shown, as a plain value. The same shape as the stage speaks; the machine only keeps it. */
export interface DisplaySettings {
  readonly voi:
    | {
        readonly kind: 'window';
        readonly centre: number;
        readonly width: number;
        readonly function: 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';
      }
    | { readonly kind: 'lut'; readonly index: number };
  readonly inverted: boolean;
  readonly gamma: number;
  readonly rotation: 0 | 90 | 180 | 270;
  readonly flipped: boolean;
  readonly noise: 'none' | 'median-3' | 'median-5' | 'gauss-3';
  /** 0 to 1. */
  readonly sharpness: number;
}

/** Image point in the middle, and device pixels per image pixel; 'fit' follows the size of the stage. */
export type CameraView = 'fit' | { readonly centreX: number; readonly centreY: number; readonly scale: number };

export type ViewerTool = 'window' | 'zoom' | 'pan';

/** How a person left an image. `display` null: as the file asks to be shown. */
export interface ImageSettings {
  readonly display: DisplaySettings | null;
  readonly view: CameraView;
  /** From 1. */
  readonly frame: number;
}

/** Settings that no longer fit an undo step are dropped, oldest first. */
export const longestHistory = 50;

export const freshSettings: ImageSettings = { display: null, view: 'fit', frame: 1 };

export type SettingsByImage = Readonly<Record<string, ImageSettings>>;

export const settingsOf = (settings: SettingsByImage, imageUid: string | null): ImageSettings =>
  (imageUid !== null ? settings[imageUid] : undefined) ?? freshSettings;

export const withSettings = (
  settings: SettingsByImage,
  imageUid: string | null,
  change: Partial<ImageSettings>,
): SettingsByImage =>
  imageUid === null ? settings : { ...settings, [imageUid]: { ...settingsOf(settings, imageUid), ...change } };

export const isFresh = ({ display, view }: ImageSettings): boolean => display === null && view === 'fit';

/** The history with one more step back. */
export const withStep = (history: readonly ImageSettings[], step: ImageSettings): readonly ImageSettings[] =>
  [...history, step].slice(-longestHistory);
