import { randomUUID } from 'node:crypto';
import { type Annotation, type Display, type Mark, type Measurement, plainDisplay } from '../../contract/displays.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { unzipped } from './unzipped.ts';
import { type ViewsetBench, viewsetBench } from './viewset-bench.ts';

/** A window, flip, inversion and rotation that presentation states have. */
export const expressible: Display = {
  ...plainDisplay,
  voi: { kind: 'window', centre: 1234.5, width: 987.25, function: 'LINEAR' },
  inverted: true,
  rotation: 90,
  horizontalFlip: true,
};
/** With a rotation, filters and colours that they do not have. */
export const inexpressible: Display = {
  ...plainDisplay,
  gamma: 1.7,
  rotation: 33.25,
  noise: { kind: 'median', strength: 0.5 },
  palette: 'hot',
};

export const length: Measurement = {
  id: randomUUID(),
  frame: 1,
  kind: 'length',
  points: [
    [1.1, 2.2],
    [3.3, 4.4],
  ],
};
export const arrow: Annotation = {
  id: randomUUID(),
  frame: 1,
  kind: 'arrow',
  points: [
    [0.1, 0.2],
    [5, 3.7],
  ],
};
export const text: Annotation = { id: randomUUID(), frame: 1, kind: 'text', points: [[2, 3]], text: 'Karies\nD2' };

const required = async <Body>(reply: Response): Promise<Body> => {
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
};

/** An archive with a mount of three images, two of them with settings and one with marks; the others of its slots are empty. */
export const displayedMount = async () => {
  const bench = await viewsetBench();
  const [first = '', second = '', third = ''] = await bench.addImages(3);
  const made = await bench.create('fmx18');
  const viewsetUid = made.viewSetUuid;
  const slots = made.viewSetItems.map(({ itemIndex }) => itemIndex);
  for (const [index, imageUid] of [first, second, third].entries())
    await required(await bench.mount({ viewsetUid, itemIndex: slots[index], imageUid }));
  const show = async (imageUid: string, display: Display) =>
    required(await bench.saveDisplay({ viewsetUid, imageUid, display, version: 0 }));
  await show(first, expressible);
  await show(second, inexpressible);
  const marks = (imageUid: string, version: number, own: { marks: Mark[]; annotations: Mark[] }) =>
    bench.send('PUT', '/resource/image/marks', { imageUid, version, calibration: { mmPerPixel: 0.0375 }, ...own });
  await required(await marks(first, 0, { marks: [length], annotations: [arrow, text] }));
  return { bench, viewset: await bench.get(viewsetUid), images: [first, second, third] as const };
};

/** Downloads a DICOM medium with mounts and marks. */
export const mediumOf = async (bench: Pick<ViewsetBench, 'post'>, scope: object) => {
  const body = { ...scope, content: 'dicom', displayObjects: true };
  const reply = await bench.post('/resource/image/download', body);
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  const zip = Buffer.from(await reply.arrayBuffer());
  return { zip, files: new Map(await unzipped(zip)), notExpressed: reply.headers.get('x-not-expressed') };
};

/** What of a mount must be the same in another installation. */
export const comparable = ({ name, comments, width, height, templateUUID, viewSetItems }: Viewset) => ({
  name,
  comments,
  width,
  height,
  templateUUID,
  items: viewSetItems.map(({ activeImage, displayVersion, ...slot }) => ({
    ...slot,
    image: activeImage && {
      sopInstanceUid: activeImage.sopInstanceUid,
      marks: activeImage.marks,
      annotations: activeImage.annotations,
      calibration: activeImage.calibration,
    },
  })),
});
