// First: without it Pixi builds functions from text, which a strict Content-Security-Policy forbids.
import 'pixi.js/unsafe-eval';
import { extensions, MeshPipe, Ticker, WebGLRenderer } from 'pixi.js';
import type { Size } from '../scene/camera.ts';

// Only meshes are drawn, and only on request: no other plug-ins, no ticker.
extensions.add(MeshPipe);
Ticker.system.autoStart = false;
Ticker.system.stop();

export interface Surface {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  /** Maximum texture size of the GPU, in pixels. */
  readonly maxTexture: number;
  /** True for software rendering without a GPU. */
  readonly isSoftware: boolean;
}

/** Renderer names of software rendering. */
const softwareNames = /swiftshader|llvmpipe|software|basic render/i;

const rendererName = (gl: WebGL2RenderingContext): string => {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
};

/**
 * Sets the unpack alignment to 1, because rows are not padded to four bytes. Pixi does not set it, and a lost context resets it.
 */
const uploadUnpadded = (renderer: WebGLRenderer) => {
  const apply = () => renderer.gl.pixelStorei(renderer.gl.UNPACK_ALIGNMENT, 1);
  apply();
  renderer.runners.contextChange.add({ contextChange: apply });
};

/**
 * Creates a WebGL 2 renderer on its own canvas (a canvas whose context was lost cannot be reused).
 * Rejects with an Error when WebGL 2 is not available.
 */
export const createSurface = async (size: Size): Promise<Surface> => {
  const canvas = document.createElement('canvas');
  const renderer = new WebGLRenderer();
  await renderer.init({
    canvas,
    width: size.width,
    height: size.height,
    resolution: 1,
    autoDensity: false,
    antialias: false,
    background: '#000000',
    backgroundAlpha: 1,
    clearBeforeRender: false,
    // Unchanged parts are not redrawn.
    preserveDrawingBuffer: true,
    multiView: false,
    manageImports: false,
    preferWebGLVersion: 2,
    powerPreference: 'high-performance',
    gcActive: false,
  });
  if (!(renderer.gl instanceof WebGL2RenderingContext)) {
    renderer.destroy();
    throw new Error('WebGL 2 is not available');
  }
  uploadUnpadded(renderer);
  const maxTexture = Number(renderer.gl.getParameter(renderer.gl.MAX_TEXTURE_SIZE));
  return { canvas, renderer, maxTexture, isSoftware: softwareNames.test(rendererName(renderer.gl)) };
};
