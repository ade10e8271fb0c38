import { greyFile } from './files.ts';
import { compared, median } from './numbers.ts';
import { openSite } from './site.ts';

const runs = 3;
const frames = 40;
const size = { width: 1500, height: 750 };

/** One change of brightness on 3000 x 1500 x 16 bit, drawn at 1500 x 750, compared with a StackViewport in the same page. */
export const benchWindow = async (): Promise<void> => {
  const site = await openSite(size);
  const url = await site.put('panorama.dcm', greyFile(3000, 1500, 1));
  const ours: number[] = [];
  const peer: number[] = [];
  const { width, height } = size;
  const own = () =>
    site.page.evaluate(([file, w, h, n]) => window.ours?.window(file, w, h, n) ?? [], [
      url,
      width,
      height,
      frames,
    ] as const);
  const other = () =>
    site.page.evaluate(([file, w, h, n]) => window.peer?.window(file, w, h, n) ?? [], [
      url,
      width,
      height,
      frames,
    ] as const);
  for (let run = 0; run < runs; run++) {
    const measurements = [
      async () => void ours.push(median(await own())),
      async () => void peer.push(median(await other())),
    ];
    for (const measure of run % 2 ? measurements.reverse() : measurements) await measure();
  }
  console.log(compared('window change, 3000 x 1500 x 16 bit at 1500 x 750', ours, peer));
  await site.close();
};
