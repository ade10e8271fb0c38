import { greyFile } from './files.ts';
import { places, size } from './mount.ts';
import { putWithRenditions } from './renditions.ts';
import { openSite } from './site.ts';

const patients = 50;
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** 50 patients opened one after another, 18 images each: a mount, then one image alone, then the next patient. */
export const benchMemory = async (): Promise<void> => {
  const site = await openSite(size);
  const names: string[] = [];
  for (let index = 0; index < places.length; index++)
    names.push(await putWithRenditions(site, `image-${index}`, greyFile(1700, 2400, index)));
  // The same bytes under 50 names: each patient's images are others to the cache.
  const all = Array.from({ length: patients }, (_, patient) =>
    names.map((url) => site.alias(url, `patient-${patient}`)),
  );
  const held = await site.page.evaluate(
    ([people, slots, width, height]) => window.ours?.memory(people, slots, width, height) ?? [],
    [all, places, size.width, size.height] as const,
  );
  const told = (index: number) => {
    const { kept, heap } = held[index] ?? { kept: 0, heap: 0 };
    return `after ${index + 1}: cache ${mebibytes(kept)}, JavaScript ${mebibytes(heap)}`;
  };
  console.log(`memory, ${patients} patients of 18 images, one after another: ${[0, 9, 24, 49].map(told).join('; ')}`);
  await site.close();
};
