import type { ShownImage } from '../../../src/viewer/layers/image-layer.ts';
import { enlarged, type Lens, lensInside, lensRectangle } from '../../../src/viewer/layers/lens.ts';
import type { Rectangle } from '../../../src/viewer/scene/camera.ts';
import type { Painter } from '../../../src/viewer/stage/painter.ts';
import {
  type BothWays,
  compare,
  expectedPixels,
  runBothWays,
  type ShaderCase,
  shownOf,
  withPainter,
} from './shader-case.ts';
import { shaderCases } from './shader-suite.ts';
import { plainDisplay, randomNumbers } from './synthetic.ts';

type Shown = ReadonlyMap<string, ShownImage>;

const stage = { width: 320, height: 240 };
const slotSize = { width: 48, height: 60 };

/** A mount of 18 slots, each with a picture of its own, fitted. */
const mount = (shift = 0): Shown => {
  const next = randomNumbers(3);
  return new Map(
    Array.from({ length: 18 }, (_, index): readonly [string, ShownImage] => {
      const values = new Uint16Array(130 * 90).map(() => Math.floor(next() * 4096));
      const shaderCase: ShaderCase = {
        picture: { width: 130, height: 90, pixels: { format: 'u16', values } },
        display: { ...plainDisplay, voi: { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' } },
        view: 'fit',
        stage,
      };
      const rectangle = { x: 4 + (index % 6) * 52 + shift, y: 4 + Math.floor(index / 6) * 64, ...slotSize };
      return [`slot ${index}`, shownOf(shaderCase, rectangle)];
    }),
  );
};

const changed = (shown: Shown, id: string, change: (one: ShownImage) => ShownImage): Shown =>
  new Map([...shown].map(([key, one]) => [key, key === id ? change(one) : one]));

const brighter = (one: ShownImage, centre = 1500): ShownImage => ({
  ...one,
  display: { ...one.display, voi: { kind: 'window', centre, width: 3000, function: 'LINEAR' } },
});

const moved = (one: ShownImage, rectangle: Rectangle): ShownImage => ({ ...one, rectangle });

const without = (shown: Shown, id: string): Shown => new Map([...shown].filter(([key]) => key !== id));

/** Draws the same with a new painter. */
const drawnAfresh = (shown: Shown, lens: Lens | null = null) =>
  withPainter(stage, (painter, pixels) => {
    painter.paint(shown, lens);
    return pixels();
  });

/** Applies successive changes to one mount; returns the redrawn area and whether the result equals a full redraw. */
export const partsOfMount = () =>
  withPainter(stage, async (painter, pixels) => {
    const first = mount();
    const window = changed(first, 'slot 3', (one) => brighter(one));
    const again = changed(first, 'slot 3', (one) => brighter(one, 1700));
    const slot = (index: number) => first.get(`slot ${index}`)?.rectangle ?? { x: 0, y: 0, ...slotSize };
    const swapped = changed(
      changed(again, 'slot 3', (one) => moved(one, slot(7))),
      'slot 7',
      (one) => moved(one, slot(3)),
    );
    const steps: readonly (readonly [string, Shown])[] = [
      ['first', first],
      ['same', new Map(first)],
      ['window', window],
      ['window again', again],
      ['swapped', swapped],
      ['one less', without(swapped, 'slot 9')],
      ['overlapping', changed(swapped, 'slot 9', (one) => moved(one, { ...slot(9), x: slot(9).x + 20 }))],
      ['panned', mount(5)],
      ['panned on', mount(-9)],
    ];
    const results: {
      readonly name: string;
      readonly painted: number;
      readonly largest: number;
      readonly greyValues: number;
    }[] = [];
    for (const [name, shown] of steps) {
      painter.paint(shown);
      const { largest, greyValues } = compare(pixels(), await drawnAfresh(shown));
      results.push({ name, painted: painter.paintedPixels(), largest, greyValues });
    }
    return results;
  });

const enlargedCase = (): ShownImage => {
  const found = shaderCases()['enlarged 3.7 times'];
  if (!found) throw new Error('no case');
  return shownOf({ ...found, stage });
};

/** Texture bytes while pictures are shown once, twice, and no longer. */
export const sharedTextures = () =>
  withPainter(stage, (painter) => {
    const one = enlargedCase();
    const held: number[] = [];
    const show = (...entries: readonly (readonly [string, ShownImage])[]) => {
      painter.paint(new Map(entries));
      held.push(painter.gpuBytes());
    };
    show(['left', one]);
    show(['left', one], ['right', one]);
    show(['right', one]);
    show();
    return { held, due: one.pixels.values.byteLength };
  });

const restored = async (painter: Painter) => {
  const { canvas } = painter.renderer.gl;
  const extension = painter.renderer.gl.getExtension('WEBGL_lose_context');
  if (!extension || !(canvas instanceof HTMLCanvasElement)) throw new Error('WEBGL_lose_context is not available');
  const happened = (type: string) => new Promise((resolve) => canvas.addEventListener(type, resolve, { once: true }));
  const lost = happened('webglcontextlost');
  extension.loseContext();
  await lost;
  // The browser allows it once all listeners of the loss have run.
  await new Promise((resolve) => setTimeout(resolve));
  const back = happened('webglcontextrestored');
  extension.restoreContext();
  await back;
};

/** Loses the context while a value buffer exists: the next picture and window must be unchanged. */
export const contextLossWithSamples = () =>
  withPainter(stage, async (painter, pixels) => {
    const one = enlargedCase();
    const plain = painter.gpuBytes();
    painter.paint(new Map([['one', one]]));
    painter.paint(new Map([['one', brighter(one)]]));
    const before = pixels();
    const valueBytes = painter.gpuBytes() - plain - one.pixels.values.byteLength;
    await restored(painter);
    painter.paint(new Map([['one', brighter(one)]]));
    const after = compare(pixels(), before);
    painter.paint(new Map([['one', one]]));
    painter.paint(new Map([['one', brighter(one)]]));
    return { valueBytes, after, windowAfter: compare(pixels(), before) };
  });

/** Images outside the stage keep their textures within the memory budget. */
export const awayFromStage = async () => {
  const one = enlargedCase();
  const other = { ...one, pixels: { ...one.pixels } };
  const away = moved(other, { ...one.rectangle, x: 5000 });
  const held = (budgetBytes: number) =>
    withPainter(
      stage,
      (painter) => {
        painter.paint(
          new Map([
            ['one', one],
            ['other', other],
          ]),
        );
        painter.paint(
          new Map([
            ['one', one],
            ['other', away],
          ]),
        );
        const bytes = painter.gpuBytes();
        painter.paint(
          new Map([
            ['one', away],
            ['other', other],
          ]),
        );
        return [bytes, painter.gpuBytes()];
      },
      budgetBytes,
    );
  return { due: one.pixels.values.byteLength, roomy: await held(1e9), tight: await held(1) };
};

/** A VOI LUT that the image does not have: the default of the file is used. */
export const unknownLut = () =>
  withPainter(stage, (painter, pixels) => {
    const one = enlargedCase();
    const asked = { ...one, display: { ...one.display, voi: one.image.original.voi } };
    painter.paint(new Map([['one', { ...one, display: { ...one.display, voi: { kind: 'lut', index: 3 } } }]]));
    return compare(pixels(), expectedPixels(asked));
  });

/** A GPU without renderable float textures. */
export const withoutNumbers = async (): Promise<BothWays> => {
  const { prototype } = WebGL2RenderingContext;
  const { getExtension } = prototype;
  Object.assign(prototype, {
    getExtension(this: WebGL2RenderingContext, name: string) {
      return name === 'EXT_color_buffer_float' ? null : Reflect.apply(getExtension, this, [name]);
    },
  });
  const found = shaderCases()['enlarged 3.7 times'];
  if (!found) throw new Error('no case');
  try {
    return await runBothWays(found);
  } finally {
    Object.assign(prototype, { getExtension });
  }
};

const inRectangle = (pixels: Uint8ClampedArray, { x, y, width, height }: Rectangle) => {
  const out = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * stage.width + x) * 4;
    out.set(pixels.subarray(from, from + width * 4), row * width * 4);
  }
  return out;
};

/** A lens over one of two pictures: the reference inside, a border around, the unchanged picture outside; removed without traces. */
export const lensOver = () =>
  withPainter(stage, async (painter, pixels) => {
    const left = moved(brighter(enlargedCase()), { x: 0, y: 0, width: 160, height: 240 });
    const right = moved(enlargedCase(), { x: 160, y: 0, width: 160, height: 240 });
    const shown: Shown = new Map([
      ['left', left],
      ['right', right],
    ]);
    painter.paint(shown);
    const plain = pixels();
    const plainBytes = painter.gpuBytes();
    const lens: Lens = { id: 'left', x: 91.3, y: 77.8, factor: 3, side: 80 };
    painter.paint(shown, lens);
    const under = pixels();
    const covers = lensRectangle(lens);
    const inside = lensInside(covers);
    const bytes = painter.gpuBytes() - plainBytes;
    const expected = expectedPixels(enlarged(left, lens, inside));
    const elsewhere = { x: covers.x + covers.width, y: 0, width: 320 - covers.x - covers.width, height: 240 };
    const further: Lens = { ...lens, x: 200, y: 120, id: 'right', factor: 8 };
    painter.paint(shown, further);
    const movedOn = compare(pixels(), await drawnAfresh(shown, further));
    const paintedForMove = painter.paintedPixels();
    painter.paint(
      changed(shown, 'right', (one) => brighter(one)),
      further,
    );
    const windowBelow = compare(
      pixels(),
      await drawnAfresh(
        changed(shown, 'right', (one) => brighter(one)),
        further,
      ),
    );
    painter.paint(shown);
    return {
      inside: compare(inRectangle(under, inside), inRectangle(expected, inside)),
      beside: compare(inRectangle(under, elsewhere), inRectangle(plain, elsewhere)).largest,
      border: under[(covers.y * stage.width + covers.x) * 4],
      bytes,
      movedOn,
      paintedForMove,
      windowBelow,
      after: compare(pixels(), plain).largest,
    };
  });

/** Value buffers of tiled pictures, with a texture limit of 64 pixels. */
export const tiledBothWays = async (): Promise<Record<string, BothWays>> => {
  const { prototype } = WebGL2RenderingContext;
  const { getParameter } = prototype;
  prototype.getParameter = function (name: number) {
    return name === this.MAX_TEXTURE_SIZE ? 64 : getParameter.call(this, name);
  };
  const names = [
    'enlarged 3.7 times',
    'made smaller',
    'askew 17, scale 1.7',
    'askew 45, scale 0.61',
    'reduced by 2, scale 0.3',
  ];
  const cases = shaderCases();
  const results: Record<string, BothWays> = {};
  for (const name of names) {
    const found = cases[name];
    if (found) results[name] = await runBothWays(found);
  }
  prototype.getParameter = getParameter;
  return results;
};
