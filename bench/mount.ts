import { greyFile } from './files.ts';
import { compared, median } from './numbers.ts';
import { openSite, type Site } from './site.ts';

const rounds = 3;
const frames = 30;
const size = { width: 1600, height: 900 };
const columns = 6;
const rows = 3;

/** 18 slots of one size, six across, with a gap between them. */
const places = Array.from({ length: columns * rows }, (_, index) => ({
  x: (index % columns) * 266 + 2,
  y: Math.floor(index / columns) * 300 + 2,
  width: 262,
  height: 296,
}));

/** The same files for both; the archive's reduced ones beside them for those who know how to ask. */
const putFiles = async (site: Site): Promise<readonly string[]> => {
  const urls: string[] = [];
  for (let index = 0; index < places.length; index++)
    urls.push(await site.put(`intra-oral-${index}.dcm`, greyFile(1700, 2400, index)));
  return urls;
};

/** A mount of 18 images of 1700 x 2400 x 16 bit beside 18 StackViewports in the same page. */
export const benchMount = async (): Promise<void> => {
  const site = await openSite(size);
  const urls = await putFiles(site);
  const told = { first: [[], []], pan: [[], []], one: [[], []] } as Record<string, [number[], number[]]>;
  const asked = [urls, places, size, frames] as const;
  const own = () => site.page.evaluate(([files, slots, stage, n]) => window.ours?.mount(files, slots, stage, n), asked);
  const other = () => site.page.evaluate(([files, slots, , n]) => window.peer?.mount(files, slots, n), asked);
  for (let round = 0; round < rounds; round++) {
    for (const whose of round % 2 ? [1, 0] : [0, 1]) {
      const result = await (whose === 0 ? own() : other());
      if (!result) throw new Error('the page has lost its programs');
      told.first?.[whose]?.push(result.firstPaint);
      told.pan?.[whose]?.push(median(result.pan));
      told.one?.[whose]?.push(median(result.one));
    }
  }
  const line = (name: string, key: string) => console.log(compared(name, ...(told[key] ?? [[], []])));
  line('first paint of a mount of 18, files fetched and decoded', 'first');
  line('pan and zoom of the mount, a frame', 'pan');
  line('window change on one image of the mount', 'one');
  await site.close();
};
