import { greyFile } from './files.ts';
import { places as mountPlaces, size as mountSize } from './mount.ts';
import { median } from './numbers.ts';
import type { FramesScene } from './page/ours.ts';
import { putWithRenditions } from './renditions.ts';
import { openSite, type Site } from './site.ts';

const runs = 5;
const frames = 60;
const single = { width: 1500, height: 750 };
/** Two mounts of 18 images on one stage, each half as large as in `mount`. */
const pair = { width: 1600, height: 450 };
const places = [0, mountSize.width].flatMap((left) =>
  mountPlaces.map(({ x, y, width, height }) => ({ x: (x + left) / 2, y: y / 2, width: width / 2, height: height / 2 })),
);

type Step = 'window' | 'marks' | 'pan';

/** Main thread time of a frame in ms, with script, layout and painting, and with the work of the GPU. */
const frameTimes = async <Name extends Step>(
  site: Site,
  scene: FramesScene,
  size: { readonly width: number; readonly height: number },
  names: readonly Name[],
): Promise<Record<Name, number>> => {
  const session = await site.page.context().newCDPSession(site.page);
  await session.send('Performance.enable');
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const opened = await site.page.evaluateHandle(
    ([shown, area]) => {
      if (!window.ours) throw new Error('the page has no viewer');
      return window.ours.frames(shown, area);
    },
    [scene, size] as const,
  );
  const run = (name: Name, count: number) =>
    opened.evaluate(({ run }, [step, times]) => run(step, times), [name, count] as const);
  const times: Partial<Record<Name, number>> = {};
  for (const name of names) {
    await run(name, 5);
    const before = await busyMs();
    await run(name, frames);
    times[name] = ((await busyMs()) - before) / frames;
  }
  await opened.evaluate(({ close }) => close());
  return times as Record<Name, number>;
};

/** Frames while a point of an annotation moves, and while two full mounts move together, beside those of a window change. */
export const benchComparison = async (): Promise<void> => {
  const site = await openSite(mountSize);
  const panorama = await site.put('panorama.dcm', greyFile(3000, 1500, 1));
  const urls: string[] = [];
  for (let index = 0; index < places.length; index++)
    urls.push(await putWithRenditions(site, `intra-oral-${index}`, greyFile(1700, 2400, index)));
  const times: Record<Step, number[]> = { window: [], marks: [], pan: [] };
  for (let run = 0; run < runs; run++) {
    await site.reopen();
    const image = await frameTimes(site, { kind: 'image', urls: [panorama] }, single, ['window', 'marks']);
    const mounts = await frameTimes(site, { kind: 'mount', urls, places }, pair, ['pan']);
    for (const [name, time] of [...Object.entries(image), ...Object.entries(mounts)]) times[name as Step].push(time);
  }
  const line = (name: string, values: readonly number[]) => {
    const ratios = values.map((value, run) => (value / (times.window[run] ?? 0)).toFixed(2));
    return `${name}: ${median(values).toFixed(1)} ms, window change ${median(times.window).toFixed(1)} ms (runs ${ratios.join(', ')})`;
  };
  console.log(line('a point of an annotation moves, a frame', times.marks));
  console.log(line('two mounts of 18 images move together, a frame', times.pan));
  await site.close();
};
