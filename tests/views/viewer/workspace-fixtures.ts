import type { ImageInfo } from '../../../contract/images.ts';
import type { ViewsetItem } from '../../../contract/viewsets.ts';
import type { ToolState } from '../../../src/views/workspace/viewer/tool-state.ts';
import { anImage, aSlot, idOf } from '../records.ts';

/** An image with a number and a tooth. */
export const imageInfo = (number: number, changes: Partial<ImageInfo> = {}): ImageInfo =>
  anImage(idOf(number), {
    name: `image ${number}`,
    number,
    order: number,
    imageAcquiredDate: '2026-03-02T10:00:00',
    teeth: [11],
    ...changes,
  });

/** A slot with an image. */
export const viewsetItem = (itemIndex: number, changes: Partial<ViewsetItem> = {}): ViewsetItem =>
  aSlot(itemIndex, { teeth: [21], activeImage: imageInfo(itemIndex + 1), ...changes });

export const patient = { name: 'Torbjörn Fägerskiöld', personalNumber: '196710099919', protectedIdentity: false };

export const noPriors = {
  older: () => undefined,
  later: () => undefined,
  swap: () => undefined,
  mounts: () => undefined,
};
/** A closed tooth history and no other mount, in navigations of the workspace. */
export const noHistory = {
  toggleHistory: () => undefined,
  isHistoryOpen: false,
  openPair: () => undefined,
  stepMount: () => undefined,
} as const;

/** A closed tooth history, in options of `useNavigation`. */
export const noHistoryControl = { view: null, toggle: () => undefined } as const;

/** Of the workspace's properties those that most tests leave as they are. */
export const plainProps = {
  patient,
  pendingMarks: new Set<string>(),
  mount: null,
  bar: null,
  notes: [],
  grading: null,
  states: null,
  aside: null,
};

/** The toolbar of a loaded image. */
export const toolState = (changes: Partial<ToolState> = {}): ToolState => ({
  tool: 'window',
  held: true,
  ready: true,
  hasPictures: true,
  isDocument: false,
  inverted: false,
  horizontalFlip: false,
  noise: false,
  sharpened: false,
  fitted: false,
  actual: false,
  canStep: true,
  canGoBack: true,
  canUndo: true,
  canRedo: true,
  canReset: true,
  comparing: false,
  canShowPrior: true,
  comparingMounts: false,
  canBlink: false,
  isHistoryOpen: false,
  linked: false,
  overlays: true,
  marksHidden: false,
  planesHidden: false,
  focusMode: false,
  fullscreen: false,
  isPresented: false,
  ...changes,
});
