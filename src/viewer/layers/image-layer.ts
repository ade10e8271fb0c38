import {
  BufferImageSource,
  type Container,
  GlProgram,
  Matrix,
  Mesh,
  MeshGeometry,
  Shader,
  UniformGroup,
} from 'pixi.js';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { imageToStage, inverse, type Orientation, type Rectangle, type Size } from '../scene/camera.ts';
import type { Camera, DrawnDisplay } from '../scene/scene.ts';
import {
  lutRange,
  lutUnit,
  samplingFor,
  variantOf,
  type WindowUniforms,
  windowUniforms,
} from '../shaders/window/uniforms.ts';
import { variantName, type WindowVariant, windowSources } from '../shaders/window/variants.ts';
import { lutTexture } from './lut-texture.ts';
import { type Tile, tilesOf, valuesOf } from './tiles.ts';

/** All that the drawing of one image depends on. */
export interface ShownImage {
  readonly image: LoadedImage;
  /** The values to draw: those of the image, or what a filter made of them. */
  readonly pixels: ImagePixels;
  readonly display: DrawnDisplay;
  readonly camera: Camera;
  readonly orientation: Orientation;
  /** Where on the stage, in device pixels; nothing is drawn outside. */
  readonly rectangle: Rectangle;
  readonly stage: Size;
  /** Drawn with fewer reads a pixel, for machines that do not keep up. */
  readonly coarse: boolean;
}

export interface ImageLayer {
  /** Brings the layer from what it showed to `next`, touching what differs. */
  readonly show: (next: ShownImage) => void;
  readonly dispose: () => void;
}

interface Piece {
  readonly tile: Tile;
  readonly texture: BufferImageSource;
  readonly mesh: Mesh<MeshGeometry, Shader>;
  readonly geometry: MeshGeometry;
}

const formats = { u8: 'r8uint', u16: 'r16uint', s16: 'r16sint', f32: 'r32float', rgba8: 'rgba8unorm' } as const;

const textureOf = (pixels: ImagePixels, size: Size, part: Rectangle) =>
  new BufferImageSource({
    resource: valuesOf(pixels, size, part),
    width: part.width,
    height: part.height,
    format: formats[pixels.format],
    // Integer textures drawn with any other mode are black, without an error.
    scaleMode: 'nearest',
    alphaMode: 'no-premultiply-alpha',
    autoGenerateMipmaps: false,
    autoGarbageCollect: false,
  });

const geometryOf = ({ core: { x, y, width, height } }: Tile) => {
  const corners = new Float32Array([x, y, x + width, y, x + width, y + height, x, y + height]);
  return new MeshGeometry({ positions: corners, uvs: corners.slice(), indices: new Uint32Array([0, 1, 2, 0, 2, 3]) });
};

const vector = (values: readonly number[], type: 'vec2<f32>' | 'vec4<f32>') => ({
  value: new Float32Array(values),
  type,
});

const uniformGroup = (size: Size, { texture }: Tile) =>
  new UniformGroup({
    uImageSize: vector([size.width, size.height], 'vec2<f32>'),
    uTileOrigin: vector([texture.x, texture.y], 'vec2<f32>'),
    uTileSize: vector([texture.width, texture.height], 'vec2<f32>'),
    uFootprint: vector([1, 1], 'vec2<f32>'),
    uToImage: vector([1, 0, 0, 1], 'vec4<f32>'),
    uToImageOrigin: vector([0, 0], 'vec2<f32>'),
    uRescale: vector([1, 0], 'vec2<f32>'),
    uWindow: vector([0, 1], 'vec2<f32>'),
    uInverted: { value: 0, type: 'f32' },
    uInverseGamma: { value: 1, type: 'f32' },
    uClip: vector([0, 0, 0, 0], 'vec4<f32>'),
    uModalityLutRange: vector([0, 1], 'vec2<f32>'),
    uVoiLutRange: vector([0, 1], 'vec2<f32>'),
    uVoiLutUnit: { value: 1, type: 'f32' },
  });

type WindowGroup = ReturnType<typeof uniformGroup>;

const fill = (group: WindowGroup, uniforms: WindowUniforms, shown: ShownImage) => {
  const { modality, voi } = uniforms;
  const { rectangle, stage } = shown;
  const values = group.uniforms;
  const { scale } = shown.camera;
  const { pixelAspect = 1 } = shown.orientation;
  values.uFootprint.set([1 / scale, 1 / (scale * pixelAspect)]);
  const { a, b, c, d, tx, ty } = inverse(imageToStage(shown.camera, rectangle, shown.orientation));
  // Fragment coordinates count from the bottom.
  values.uToImage.set([a, b, -c, -d]);
  values.uToImageOrigin.set([tx + c * stage.height, ty + d * stage.height]);
  if (modality.kind === 'rescale') values.uRescale.set([modality.slope, modality.intercept]);
  else values.uModalityLutRange.set(lutRange(modality.lut));
  if (voi.kind === 'window') values.uWindow.set([voi.centre, voi.width]);
  else {
    values.uVoiLutRange.set(lutRange(voi.lut));
    values.uVoiLutUnit = lutUnit(voi.lut);
  }
  values.uInverted = uniforms.inverted ? 1 : 0;
  values.uInverseGamma = uniforms.inverseGamma;
  const bottom = stage.height - rectangle.y - rectangle.height;
  values.uClip.set([rectangle.x, bottom, rectangle.x + rectangle.width, bottom + rectangle.height]);
  group.update();
};

const programOf = (variant: WindowVariant) =>
  GlProgram.from({ ...windowSources(variant), name: variantName(variant), preferredFragmentPrecision: 'highp' });

/** Draws one image into `parent`; owns its textures, geometry and shaders, and frees them in `dispose`. */
export const createImageLayer = (parent: Container, largestTexture: number): ImageLayer => {
  let pieces: readonly Piece[] = [];
  let groups: readonly WindowGroup[] = [];
  let luts: readonly BufferImageSource[] = [];
  let shownPixels: ImagePixels | null = null;
  let shownProgram = '';

  const freeShaders = () => {
    for (const { mesh } of pieces) mesh.shader?.destroy();
    for (const lut of luts) lut.destroy();
    luts = [];
    shownProgram = '';
  };

  const freePieces = () => {
    freeShaders();
    for (const { mesh, texture, geometry } of pieces) {
      parent.removeChild(mesh);
      mesh.destroy();
      geometry.destroy(true);
      texture.destroy();
    }
    pieces = [];
    groups = [];
    shownPixels = null;
  };

  const build = (shown: ShownImage, program: GlProgram) => {
    const size = shown.image;
    const tiles = tilesOf(size, largestTexture);
    groups = tiles.map((tile) => uniformGroup(size, tile));
    pieces = tiles.map((tile, index) => {
      const texture = textureOf(shown.pixels, size, tile.texture);
      const geometry = geometryOf(tile);
      const resources = { uImage: texture, windowUniforms: groups[index] };
      const mesh = new Mesh({ geometry, shader: new Shader({ glProgram: program, resources }) });
      parent.addChild(mesh);
      return { tile, texture, mesh, geometry };
    });
    shownPixels = shown.pixels;
  };

  const dress = (program: GlProgram, uniforms: WindowUniforms) => {
    freeShaders();
    const modalityLut = uniforms.modality.kind === 'lut' ? lutTexture(uniforms.modality.lut) : null;
    const voiLut = uniforms.voi.kind === 'lut' ? lutTexture(uniforms.voi.lut) : null;
    luts = [modalityLut, voiLut].filter((lut) => lut !== null);
    pieces.forEach(({ mesh, texture }, index) => {
      mesh.shader = new Shader({
        glProgram: program,
        resources: {
          uImage: texture,
          windowUniforms: groups[index],
          ...(modalityLut && { uModalityLut: modalityLut }),
          ...(voiLut && { uVoiLut: voiLut }),
        },
      });
    });
  };

  return {
    show: (next) => {
      const uniforms = windowUniforms(next.image, next.display);
      const variant = variantOf(uniforms, samplingFor(next.camera.scale, next.orientation.pixelAspect, next.coarse));
      const lutChoice = next.display.voi.kind === 'lut' ? next.display.voi.index : -1;
      const programName = `${variantName(variant)}#${lutChoice}`;
      const program = programOf(variant);
      if (next.pixels !== shownPixels) {
        freePieces();
        build(next, program);
      }
      if (programName !== shownProgram) {
        dress(program, uniforms);
        shownProgram = programName;
      }
      for (const group of groups) fill(group, uniforms, next);
      const { a, b, c, d, tx, ty } = imageToStage(next.camera, next.rectangle, next.orientation);
      const matrix = new Matrix(a, b, c, d, tx, ty);
      for (const { mesh } of pieces) mesh.setFromMatrix(matrix);
    },
    dispose: freePieces,
  };
};
