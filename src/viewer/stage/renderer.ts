// First: without it Pixi builds functions from text, which a strict Content-Security-Policy forbids.
import 'pixi.js/unsafe-eval';
import { extensions, MeshPipe, Ticker, WebGLRenderer } from 'pixi.js';
import type { Size } from '../scene/camera.ts';

// The renderer is told what to draw and when: no plug-ins fetched later, no clock of its own.
extensions.add(MeshPipe);
Ticker.system.autoStart = false;
Ticker.system.stop();

export interface Surface {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  /** Largest texture side that this machine takes, in pixels. */
  readonly largestTexture: number;
  /** There is no GPU: the processor draws. */
  readonly isSoftware: boolean;
}

/** The names under which browsers and drivers draw without a GPU. */
const softwareNames = /swiftshader|llvmpipe|software|basic render/i;

const rendererName = (gl: WebGL2RenderingContext): string => {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
};

/**
 * Rows of odd length are not padded to four bytes; Pixi never says so, and the setting is lost with the context.
 */
const uploadUnpadded = (renderer: WebGLRenderer) => {
  const apply = () => renderer.gl.pixelStorei(renderer.gl.UNPACK_ALIGNMENT, 1);
  apply();
  renderer.runners.contextChange.add({ contextChange: apply });
};

/**
 * A WebGL 2 renderer on a canvas of its own (a canvas whose context was lost cannot be used again).
 * Rejects with an Error when the browser gives no WebGL 2.
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
    // What has not changed is not drawn again.
    preserveDrawingBuffer: true,
    multiView: false,
    manageImports: false,
    preferWebGLVersion: 2,
    powerPreference: 'high-performance',
    gcActive: false,
  });
  if (!(renderer.gl instanceof WebGL2RenderingContext)) {
    renderer.destroy();
    throw new Error('this browser gives no WebGL 2');
  }
  uploadUnpadded(renderer);
  const largestTexture = Number(renderer.gl.getParameter(renderer.gl.MAX_TEXTURE_SIZE));
  return { canvas, renderer, largestTexture, isSoftware: softwareNames.test(rendererName(renderer.gl)) };
};
