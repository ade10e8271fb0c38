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
  // The same bytes under 50 names: the cache treats each patient's images as different.
  const all = Array.from({ length: patients }, (_, patient) =>
    names.map((url) => site.alias(url, `patient-${patient}`)),
  );
  const usage = await site.page.evaluate(
    ([patientCount, slots, width, height]) => window.ours?.memory(patientCount, slots, width, height) ?? [],
    [all, places, size.width, size.height] as const,
  );
  const summaryAfter = (index: number) => {
    const { cached, heap } = usage[index] ?? { cached: 0, heap: 0 };
    return `after ${index + 1}: cache ${mebibytes(cached)}, JavaScript ${mebibytes(heap)}`;
  };
  console.log(
    `memory, ${patients} patients of 18 images, one after another: ${[0, 9, 24, 49].map(summaryAfter).join('; ')}`,
  );
  await site.close();
};
