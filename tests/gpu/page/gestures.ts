import type { PixelSpacing } from '../../../dicom/image-model.ts';
import {
  createStage,
  type Display,
  emptyScene,
  type Intent,
  type IntentType,
  type MountViewport,
  type Placement,
  type Scene,
  type SceneImage,
  type Stage,
  sceneOf,
} from '../../../src/viewer/index.ts';
import { swedishStageTexts } from '../../viewer/stage-texts.ts';
import { imagesOf, loadedPicture } from './synthetic.ts';

const types: readonly IntentType[] = [
  'image.chosen',
  'image.opened',
  'image.dragged',
  'gesture.begun',
  'gesture.settled',
  'reset.requested',
  'tool.requested',
  'frame.requested',
  'slice.requested',
  'pointer.value',
  'pointer.left',
  'view.drawn',
  'mount.pressed',
  'mount.drawn',
  'mount.settled',
  'marks.settled',
  'calibration.drawn',
];

const display: Display = {
  voi: { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' },
  inverted: false,
  gamma: 1,
  rotation: 0,
  horizontalFlip: false,
  noise: { kind: 'none', strength: 0 },
  sharpness: 0,
  equalisation: 0,
  palette: 'grey',
};

/** 101 x 67, values 100 to 200, from left to right or in a pattern of unrelated neighbours; the declared range is 0 to 65535. */
const picture = (key: string, { spacing = null, frames = 1, grainy = false }: GestureOptions) => {
  const values = Uint16Array.from({ length: 101 * 67 }, (_, at) => 100 + (grainy ? (at * 7919) % 103 : at % 101));
  const loaded = loadedPicture({ width: 101, height: 67, pixels: { format: 'u16', values } }, key);
  return { ...loaded, description: { ...loaded.description, spacing, numberOfFrames: frames } };
};

const imageAt = (id: string, place: Placement): readonly SceneImage[] =>
  sceneOf(id, { placement: place, display }).images;

const scenes = {
  single: (): Scene => ({ ...emptyScene, images: imageAt('a', { x: 0, y: 0, width: 1, height: 1 }), active: 'a' }),
  /** 400 x 300 units on a stage of as many CSS pixels. An empty slot would lie at 210, 10. */
  mount: (): Scene => ({
    ...emptyScene,
    images: [
      ...imageAt('a', { x: 10, y: 10, width: 80, height: 60 }),
      ...imageAt('b', { x: 110, y: 10, width: 80, height: 60 }),
    ],
    active: 'a',
    mount: { width: 400, height: 300, view: 'fit' },
  }),
  compare: (): Scene => ({
    ...emptyScene,
    images: [
      ...imageAt('a', { x: 0, y: 0, width: 0.5, height: 1 }),
      ...imageAt('b', { x: 0.5, y: 0, width: 0.5, height: 1 }),
    ],
    active: 'a',
    linked: true,
  }),
};

export interface GestureOptions {
  readonly kind: keyof typeof scenes;
  readonly spacing?: PixelSpacing | null;
  readonly frames?: number;
  readonly isSlice?: boolean;
  readonly grainy?: boolean;
  readonly mountViewport?: MountViewport;
}

export interface GestureTest {
  readonly stage: Stage;
  readonly intents: Intent[];
  scene: Scene;
  /** Shows the scene changed, and waits until it is drawn. */
  readonly show: (change: Partial<Scene>) => Promise<void>;
}

/** Opens a stage of 400 x 300 CSS pixels in the page and records all its intents. */
const openGestures = async (options: GestureOptions): Promise<void> => {
  const host = document.createElement('div');
  host.style.cssText = 'position:absolute;left:0;top:0;width:400px;height:300px';
  document.body.append(host);
  const images = imagesOf({ a: picture('a', options), b: picture('b', options) });
  const stage = createStage(host, { images, label: 'En röntgenbild', words: swedishStageTexts, locale: 'sv' });
  const intents: Intent[] = [];
  for (const type of types) stage.on(type, (intent) => intents.push(intent));
  const plain = scenes[options.kind]();
  const { mountViewport, isSlice = false } = options;
  const shown = { ...plain, images: plain.images.map((image) => ({ ...image, isSlice })) };
  const scene = shown.mount && mountViewport ? { ...shown, mount: { ...shown.mount, view: mountViewport } } : shown;
  const gestureTest: GestureTest = {
    stage,
    intents,
    scene,
    show: async (change) => {
      gestureTest.scene = { ...gestureTest.scene, ...change };
      stage.show(gestureTest.scene);
      await stage.snapshot();
    },
  };
  await gestureTest.show({});
  window.gestureTest = gestureTest;
};

declare global {
  interface Window {
    openGestures: typeof openGestures;
    gestureTest: GestureTest;
  }
}

window.openGestures = openGestures;
