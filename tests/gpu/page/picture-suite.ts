import type { PresentationState } from '../../../contract/presentation-states.ts';
import {
  createPictureRenderer,
  createStage,
  type PictureOptions,
  type Scene,
  sceneOf,
} from '../../../src/viewer/index.ts';
import { emptyScene } from '../../../src/viewer/scene/scene.ts';
import { type Comparison, compare, expectedPixels, hostOf, type ShaderCase, shownOf } from './shader-case.ts';
import { shaderCases } from './shader-suite.ts';
import { imagesOf, loadedPicture } from './synthetic.ts';

const named = (name: string): ShaderCase => {
  const found = shaderCases()[name];
  if (!found) throw new Error(`no case ${name}`);
  return found;
};

const sceneOfCase = ({ display }: ShaderCase): Scene =>
  sceneOf('synthetic', { display, view: { centreX: 1, centreY: 1, scale: 40 } });

const texts = {
  mm: 'mm',
  px: 'px',
  calibrated: '',
  atDetector: '',
  onFilm: '',
  stated: '',
  estimated: '',
  notCalibrated: '',
  inRegion: '',
  outsideRegion: '',
  kinds: {
    length: 'Length',
    angle: 'Angle',
    calibrate: 'Calibration',
    arrow: 'Arrow',
    text: 'Text',
    rectangle: 'Rectangle',
    ellipse: 'Ellipse',
    freehand: 'Line',
    polyline: 'Curve',
    area: 'Area',
    lineAngle: 'Vinkel mellan två linjer',
    ratio: 'Bennivå, kvot',
    profile: 'Gråvärdesprofil',
  },
  marks: 'Marks',
  ratioPoints: ['Junction', 'Bone', 'Apex'],
  textField: 'Text',
};

const pixelsOf = (canvas: OffscreenCanvas): Uint8ClampedArray => {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no context');
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
};

const drawn = async (scene: Scene, { picture }: ShaderCase, options?: PictureOptions) => {
  const renderer = await createPictureRenderer(imagesOf({ synthetic: loadedPicture(picture) }));
  try {
    return await renderer.render(scene, options);
  } finally {
    renderer.dispose();
  }
};

/** Draws a case as a picture and compares it with the reference shader, and its PNG with its pixels. */
export const pictureOfCase = async (
  name: string,
  options?: PictureOptions,
): Promise<{ picture: Comparison; png: Comparison; size: readonly number[]; image: readonly number[] }> => {
  const shaderCase = named(name);
  const { canvas, width, height, toBlob } = await drawn(sceneOfCase(shaderCase), shaderCase, options);
  const pixels = pixelsOf(canvas);
  const decoded = await createImageBitmap(await toBlob('image/png'));
  const again = new OffscreenCanvas(width, height);
  again.getContext('2d')?.drawImage(decoded, 0, 0);
  const expected = expectedPixels(shownOf({ ...shaderCase, view: 'fit', stage: { width, height } }));
  return {
    picture: compare(pixels, expected),
    png: compare(pixelsOf(again), pixels),
    size: [width, height],
    image: [shaderCase.picture.width, shaderCase.picture.height],
  };
};

/** Draws the same scene as a picture and on a stage of the size of the picture. */
export const pictureAndStage = async (name: string, longestSide: number): Promise<Comparison> => {
  const shaderCase = named(name);
  const scene = sceneOf('synthetic', { display: shaderCase.display });
  const { canvas, width, height } = await drawn(scene, shaderCase, { longestSide });
  const host = hostOf({ width, height });
  const stage = createStage(host, { images: imagesOf({ synthetic: loadedPicture(shaderCase.picture) }) });
  stage.show(scene);
  const snapshot = await stage.snapshot();
  stage.dispose();
  host.remove();
  return compare(pixelsOf(canvas), snapshot.pixels);
};

const line = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'length',
  frame: 1,
  points: [
    [40, 40],
    [200, 40],
  ],
} as const;

/** Pixels that a length of 160 pixels changes, with and without texts of marks. */
export const pictureWithMarks = async () => {
  const shaderCase = named('ramp, full window');
  const scene = sceneOf('synthetic', {
    display: shaderCase.display,
    marks: [
      {
        ...line,
        points: [
          [40, 40],
          [200, 40],
        ],
      },
    ],
  });
  const plain = pixelsOf((await drawn(scene, shaderCase)).canvas);
  const marked = await drawn(scene, shaderCase, { words: texts, locale: 'en', shownSide: 256 });
  const pixels = pixelsOf(marked.canvas);
  const differs = (x: number, y: number) => pixels[(y * marked.width + x) * 4] !== plain[(y * marked.width + x) * 4];
  const rows = [...new Array(marked.height).keys()];
  const changedRows = rows.filter((y) => differs(120, y));
  return {
    plain: compare(plain, expectedPixels(shownOf({ ...shaderCase, view: 'fit', stage: marked }))).largest,
    changedRows,
    line: pixels[(40 * marked.width + 120) * 4],
  };
};

/** Two marked pixels, one alone and one in a region of interest. */
const planes = {
  planes: [
    { kind: 'graphics', x: 20, y: 30, width: 1, height: 1, bits: Uint8Array.of(1) },
    { kind: 'roi', x: 60, y: 50, width: 1, height: 1, bits: Uint8Array.of(1) },
  ],
  incomplete: 0,
} as const;

/** Draws overlay planes over a case: where a picture with them differs from one without, and the colour of the marked pixel of graphics. */
export const pictureWithPlanes = async (name: string, hidden: boolean) => {
  const shaderCase = named(name);
  const withPlanes = { ...shaderCase, picture: { ...shaderCase.picture, overlayPlanes: planes } };
  const scene = { ...sceneOf('synthetic', { display: shaderCase.display }), planesHidden: hidden };
  const plain = await drawn(scene, shaderCase);
  const [before, after] = [pixelsOf(plain.canvas), pixelsOf((await drawn(scene, withPlanes)).canvas)];
  const { width, height } = plain;
  const changed: { x: number; y: number; colour: readonly number[] }[] = [];
  for (let at = 0; at < width * height; at++) {
    const colour = [...after.slice(at * 4, at * 4 + 3)];
    if (colour.some((value, channel) => value !== before[at * 4 + channel]))
      changed.push({ x: at % width, y: Math.floor(at / width), colour });
  }
  return { width, height, image: [shaderCase.picture.width, shaderCase.picture.height], changed };
};

/** Shows all but 32 columns at the left, 16 rows at the top and 8 at the bottom, inverted, with a line of 128 pixels. */
const state: PresentationState = {
  id: '00000000-0000-4000-8000-000000000002',
  label: 'STATE',
  description: null,
  creator: null,
  createdAt: null,
  frames: null,
  rotation: 0,
  horizontalFlip: false,
  areas: [],
  grey: {
    modality: { kind: 'rescale', slope: 1, intercept: 0 },
    vois: [
      { frames: null, voi: { kind: 'window', centre: 32767.5, width: 65535, function: 'LINEAR_EXACT' } },
      { frames: null, voi: { kind: 'window', centre: 0, width: 1, function: 'LINEAR_EXACT' } },
    ],
    presentationLut: null,
    inverted: true,
  },
  shutters: [{ shape: 'rectangle', from: [32, 16], to: [400, 248] }],
  bitmapShutter: null,
  shutterColour: '#123456',
  annotations: [
    {
      frames: null,
      colour: '#ff0000',
      graphics: [
        {
          kind: 'polyline',
          points: [
            [64, 128],
            [192, 128],
          ],
          filled: false,
        },
      ],
      texts: [],
    },
    { frames: [2], colour: null, graphics: [{ kind: 'point', points: [[100, 60]], filled: false }], texts: [] },
  ],
  notShown: [],
};

/** The same shutter as a bitmap. */
const bitmapState: PresentationState = {
  ...state,
  shutters: [],
  bitmapShutter: {
    x: 0,
    y: 0,
    width: 256,
    height: 256,
    // 16 rows and the first 32 columns, then the open 224 of a row and the next 32; at the end 8 rows.
    runs: [0, 256 * 16 + 32, ...new Array(231).fill([224, 32]).flat(), 224, 256 * 8],
  },
};

/** Draws a turned picture with a state: where its shutter leaves the picture open, where its line is, and how far other pixels are from the inverse. */
export const pictureWithState = async (
  turn: { readonly rotation: number; readonly horizontalFlip: boolean },
  withMarks: boolean,
  shutter: 'rectangle' | 'bitmap' = 'rectangle',
) => {
  const shaderCase = named('ramp, full window');
  const display = { ...shaderCase.display, ...turn };
  const [image] = sceneOf('synthetic', { display: { ...display, voi: null } }).images;
  if (!image) throw new Error('no image');
  const scene = { ...emptyScene, images: [image] };
  const options = withMarks ? { words: texts, locale: 'en', shownSide: 256 } : {};
  const shown = shutter === 'bitmap' ? bitmapState : state;
  const inverse = { ...image, display: { ...display, inverted: true } };
  const expected = pixelsOf((await drawn({ ...scene, images: [inverse] }, shaderCase)).canvas);
  const { canvas, width, height } = await drawn(
    { ...scene, images: [{ ...image, state: shown }] },
    shaderCase,
    options,
  );
  const pixels = pixelsOf(canvas);
  const places = [...new Array(width * height).keys()].map((at) => {
    const [red = 0, green = 0, blue = 0] = pixels.slice(at * 4, at * 4 + 3);
    const isCovered = red === 0x12 && green === 0x34 && blue === 0x56;
    const difference = Math.abs(red - (expected[at * 4] ?? 0));
    return { x: at % width, y: Math.floor(at / width), isCovered, isLine: red > green + 100, difference };
  });
  const boxOf = (some: typeof places) => {
    const [xs, ys] = [some.map(({ x }) => x), some.map(({ y }) => y)];
    return some.length === 0 ? null : [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
  };
  const line = boxOf(places.filter(({ isLine }) => isLine));
  const [left = 0, top = 0, right = 0, bottom = 0] = line ?? [];
  const outline = 4;
  const nearLine = ({ x, y }: { x: number; y: number }) =>
    x >= left - outline && x < right + outline && y >= top - outline && y < bottom + outline;
  const open = places.filter(({ isCovered }) => !isCovered);
  return {
    size: [width, height],
    open: boxOf(open),
    openPixels: open.length,
    line,
    largest: Math.max(...open.filter((one) => !line || !nearLine(one)).map(({ difference }) => difference)),
  };
};

/** A mount of two slots, the left one white, the right one inverted: mean grey in the middle of each, and between them. */
export const pictureOfMount = async () => {
  const { picture } = named('ramp, full window');
  const white = { ...picture, pixels: { format: 'u16', values: new Uint16Array(65536).fill(65535) } } as const;
  const renderer = await createPictureRenderer(imagesOf({ left: loadedPicture(white), right: loadedPicture(white) }));
  const { display } = named('ramp, full window');
  const place = { x: 10, y: 10, width: 128, height: 128 };
  const [left] = sceneOf('left', { display, placement: place }).images;
  const [right] = sceneOf('right', {
    display: { ...display, inverted: true },
    placement: { ...place, x: 150 },
  }).images;
  if (!left || !right) throw new Error('no image');
  const mount = { width: 300, height: 150, view: { centreX: 10, centreY: 10, zoom: 9 } };
  const { canvas, width, height } = await renderer.render({ ...emptyScene, images: [left, right], mount });
  const missing = { ...left, id: 'missing', source: 'missing' };
  const rejected = await renderer.render({ ...emptyScene, images: [left, missing], mount }).then(
    () => 'a picture',
    (error: Error) => error.message,
  );
  renderer.dispose();
  const pixels = pixelsOf(canvas);
  const at = (x: number, y: number) =>
    pixels[(Math.round((y * width) / 300) * width + Math.round((x * width) / 300)) * 4];
  return { size: [width, height], left: at(74, 74), right: at(214, 74), between: at(144, 74), rejected };
};

/** Size of a picture on a GPU whose textures have at most 64 pixels. */
export const pictureOnSmallGpu = async () => {
  const { prototype } = WebGL2RenderingContext;
  const { getParameter } = prototype;
  prototype.getParameter = function (name: number) {
    return name === this.MAX_TEXTURE_SIZE ? 64 : getParameter.call(this, name);
  };
  const { size, picture } = await pictureOfCase('ramp, full window');
  prototype.getParameter = getParameter;
  return { size, largest: picture.largest };
};

/** A picture with a strip: its size, whether the image above is unchanged, and dark and white pixels of the strip. */
export const pictureWithStrip = async () => {
  const shaderCase = named('ramp, full window');
  const scene = sceneOfCase(shaderCase);
  const plain = await drawn(scene, shaderCase);
  const striped = await drawn(scene, shaderCase, { strip: 'Åsa Lindström · 2026-03-12' });
  const pixels = pixelsOf(striped.canvas);
  const above = plain.width * plain.height * 4;
  const strip = [...pixels.subarray(above)].filter((_, index) => index % 4 === 0);
  return {
    width: striped.width - plain.width,
    height: striped.height - plain.height,
    largest: compare(pixels.slice(0, above), pixelsOf(plain.canvas)).largest,
    dark: strip.filter((grey) => grey < 64).length,
    white: strip.filter((grey) => grey === 255).length / strip.length,
  };
};
