import { cache, Enums, init, RenderingEngine, type Types } from '@cornerstonejs/core';
import dicomImageLoader from '@cornerstonejs/dicom-image-loader';
import { hostOf, probeWidth, timed } from './clock.ts';

let engines = 0;
let started = false;

const start = () => {
  if (started) return;
  started = true;
  init();
  dicomImageLoader.init({ maxWebWorkers: Math.max(1, navigator.hardwareConcurrency - 1) });
};

const isStack = (viewport: Types.IViewport): viewport is Types.IStackViewport => 'setStack' in viewport;

/** StackViewports in hosts of their own, each with its picture loaded from `urls` as Cornerstone does it. */
const open = async (
  urls: readonly string[],
  places: readonly { x: number; y: number; width: number; height: number }[],
) => {
  start();
  const engine = new RenderingEngine(`bench-${++engines}`);
  const hosts = places.map(({ x, y, width, height }) => hostOf(width, height, x, y));
  engine.setViewports(
    hosts.map((element, index) => ({
      viewportId: `viewport-${index}`,
      element: element as HTMLDivElement,
      type: Enums.ViewportType.STACK,
    })),
  );
  const viewports = hosts.map((_, index) => {
    const viewport = engine.getViewport(`viewport-${index}`);
    if (!isStack(viewport)) throw new Error('not a stack viewport');
    return viewport;
  });
  await Promise.all(viewports.map((viewport, index) => viewport.setStack([`wadouri:${urls[index]}`])));
  for (const viewport of viewports) viewport.render();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const readPixels = (index: number) => {
    const { canvas } = viewports[index] as Types.IStackViewport;
    const context = canvas.getContext('2d');
    return `${context?.getImageData(Math.floor(canvas.width / 2), Math.floor(canvas.height / 2), probeWidth, 1).data}`;
  };
  const close = () => {
    engine.destroy();
    // The next run fetches and decodes again, like ours.
    cache.purgeCache();
    dicomImageLoader.wadouri.dataSetCacheManager.purge();
    for (const host of hosts) host.remove();
  };
  return { viewports, look: readPixels, close };
};

const voi = (index: number) => ({ lower: 2_000, upper: 45_500 - 300 * index });

export const peer = {
  /** ms of each window change. */
  window: async (url: string, width: number, height: number, count: number) => {
    const { viewports, look: readPixels, close } = await open([url], [{ x: 0, y: 0, width, height }]);
    const [viewport] = viewports;
    const times = await timed(
      count,
      (index) => {
        viewport?.setProperties({ voiRange: voi(index) });
        viewport?.render();
      },
      () => readPixels(0),
    );
    close();
    return times;
  },
  mount: async (
    urls: readonly string[],
    places: readonly { x: number; y: number; width: number; height: number }[],
    count: number,
  ) => {
    const start = performance.now();
    const { viewports, look: readPixels, close } = await open(urls, places);
    for (let index = 0; index < viewports.length; index++) readPixels(index);
    const firstPaint = performance.now() - start;
    const all = () => viewports.map((_, index) => readPixels(index)).join(' ');
    const pan = await timed(
      count,
      (index) => {
        for (const viewport of viewports) {
          viewport.setZoom(1.05 + index * 0.02);
          viewport.setPan([index * 3, index * 2]);
          viewport.render();
        }
      },
      all,
    );
    const one = await timed(
      count,
      (index) => {
        viewports[0]?.setProperties({ voiRange: voi(index) });
        viewports[0]?.render();
      },
      () => readPixels(0),
    );
    close();
    return { firstPaint, pan, one };
  },
};

declare global {
  interface Window {
    peer?: typeof peer;
  }
}
window.peer = peer;
