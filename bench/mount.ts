import { greyFile } from './files.ts';
import { compared, median } from './numbers.ts';
import { putWithRenditions } from './renditions.ts';
import { openSite } from './site.ts';

const runs = 3;
const frames = 30;
const pair = (): [number[], number[]] => [[], []];
export const size = { width: 1600, height: 900 };
const columns = 6;
const rows = 3;

/** 18 slots of one size, six across, with a gap between them. */
export const places = Array.from({ length: columns * rows }, (_, index) => ({
  x: (index % columns) * 266 + 2,
  y: Math.floor(index / columns) * 300 + 2,
  width: 262,
  height: 296,
}));

/** A mount of 18 images of 1700 x 2400 x 16 bit, compared with 18 StackViewports in the same page. */
export const benchMount = async (): Promise<void> => {
  const site = await openSite(size);
  const urls: string[] = [];
  for (let index = 0; index < places.length; index++)
    urls.push(await putWithRenditions(site, `intra-oral-${index}`, greyFile(1700, 2400, index)));
  const times = { first: pair(), pan: pair(), one: pair(), whole: pair() };
  const own = (source: 'files' | 'renditions') =>
    site.page.evaluate(([files, slots, stage, n, from]) => window.ours?.mount(files, slots, stage, n, from), [
      urls,
      places,
      size,
      frames,
      source,
    ] as const);
  const other = () =>
    site.page.evaluate(([files, slots, n]) => window.peer?.mount(files, slots, n), [urls, places, frames] as const);
  for (let run = 0; run < runs; run++) {
    for (const whose of run % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
      await site.reopen();
      const result = await (whose === 0 ? own('renditions') : other());
      if (!result) throw new Error('the page has no viewers');
      times.first[whose].push(result.firstPaint);
      times.pan[whose].push(median(result.pan));
      times.one[whose].push(median(result.one));
      if (whose === 0) await site.reopen();
      times.whole[whose].push(whose === 0 ? ((await own('files'))?.firstPaint ?? 0) : result.firstPaint);
    }
  }
  console.log(compared('first paint of a mount of 18, from renditions', ...times.first));
  console.log(compared('first paint of a mount of 18, from full files', ...times.whole));
  console.log(compared('pan and zoom of the mount, a frame', ...times.pan));
  console.log(compared('window change on one image of the mount', ...times.one));
  await site.close();
};
