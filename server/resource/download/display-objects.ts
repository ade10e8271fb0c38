import type { Kysely } from 'kysely';
import { plainDisplay } from '../../../contract/displays.ts';
import type { Schema } from '../../db/schema.ts';
import { displaysOfImages, mountsOfImages } from '../../db/stores/mounts-to-export.ts';
import { addedObjects } from './added-objects.ts';
import type { MediumAddition } from './dicom-medium.ts';
import type { NotExpressed, SentImage } from './gathered.ts';
import { addMount } from './mount-object.ts';
import { addState, type DisplayWork, type SentDisplay } from './state-object.ts';
import { type WrittenImage, writtenImage } from './written-images.ts';

/** Above the numbers of the series of any device. */
const seriesNumber = 9001;

const isDisplayed = ({ stored: { marks, annotations, calibration, display } }: SentDisplay): boolean =>
  marks.length > 0 || annotations.length > 0 || calibration !== null || display !== null;

const sentDisplays = async (
  db: Kysely<Schema>,
  sent: readonly SentImage[],
  images: ReadonlyMap<string, WrittenImage>,
): Promise<ReadonlyMap<string, SentDisplay>> => {
  const rows = await displaysOfImages(
    db,
    sent.map(({ id }) => id),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    sent.flatMap((row): [string, SentDisplay][] => {
      const [image, display] = [images.get(row.sha256), stored.get(row.id)];
      return image && display ? [[row.id, { row, image, stored: display }]] : [];
    }),
  );
};

/**
 * Creates the mounts and presentation states of the images on a medium: of each mount that has one of them, and of images outside of these
 * that have marks or settings.
 */
export const displayObjects = (
  db: Kysely<Schema>,
): MediumAddition & { readonly notExpressed: () => readonly NotExpressed[] } => {
  const images = new Map<string, WrittenImage>();
  const notExpressed: NotExpressed[] = [];
  return {
    kind: 'PS',
    onWritten: ({ sha256 }, file, keys) => images.set(sha256, writtenImage(file, keys)),
    objects: async (rows, nameOf) => {
      const sent = await sentDisplays(db, rows, images);
      const list = addedObjects(nameOf, new Date(), seriesNumber);
      const work: DisplayWork = { list, sent, notExpressed };
      const mounted = new Set<string>();
      for (const mount of await mountsOfImages(db, [...sent.keys()]))
        for (const id of await addMount(db, work, mount)) mounted.add(id);
      for (const [id, one] of sent) {
        if (mounted.has(id) || !isDisplayed(one)) continue;
        const { display } = one.stored;
        addState(work, one, { stored: display, shown: display ?? plainDisplay }, '');
      }
      return list.objects;
    },
    notExpressed: () => notExpressed,
  };
};
