import type { Kysely } from 'kysely';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import { stateSeriesItems } from '../../../dicom/display-objects/common-elements.ts';
import { stateClassOf, writeState } from '../../../dicom/display-objects/write-state.ts';
import type { Schema } from '../../db/schema.ts';
import { type DisplayedRow, displaysOfImages, mountsOfImages } from '../../db/stores/mounts-to-export.ts';
import type { OwnState } from '../../domain/display-objects/own-content.ts';
import { stateContentOf } from '../../domain/display-objects/state-content.ts';
import type { MediumAddition } from './dicom-medium.ts';
import type { NotExpressed, SentImage } from './gathered.ts';
import { addMount } from './mount-object.ts';
import { type Presentations, presentations } from './presentations.ts';
import { type WrittenImage, writtenImage } from './written-images.ts';

/** An image that is on the medium, with its marks. */
export interface SentDisplay {
  readonly row: SentImage;
  readonly image: WrittenImage;
  readonly stored: DisplayedRow;
}

/** What is written, and what that does not say. */
export interface DisplayWork {
  readonly list: Presentations;
  readonly sent: ReadonlyMap<string, SentDisplay>;
  readonly notExpressed: NotExpressed[];
}

/** How an image is displayed: `stored` as saved, `shown` with the orientation of its slot. */
interface DisplayToWrite {
  readonly stored: Display | null;
  readonly shown: Display;
}

/** Writes the presentation state of an image. Returns its reference; null for an image whose attributes cannot be read. */
export const addState = (
  { list, notExpressed }: Pick<DisplayWork, 'list' | 'notExpressed'>,
  { image: { keys, reference, description, iccProfile }, stored }: SentDisplay,
  display: DisplayToWrite,
  name: string,
) => {
  if (!description) return null;
  const { marks, annotations, calibration } = stored;
  const made = stateContentOf({ description, display: display.shown, marks, annotations, calibration });
  const { content } = made;
  const { columns, rows, numberOfFrames: frames, pixelAspectRatio: aspectRatio } = description;
  const own: OwnState = { kind: 'state', display: display.stored, marks, annotations, calibration };
  const added = list.add({
    owner: keys,
    sopClassUid: stateClassOf(content),
    description: name,
    write: (object) =>
      writeState({
        owner: keys,
        object,
        image: { ...reference, columns, rows, frames, aspectRatio, iccProfile },
        content,
        own,
      }),
    references: stateSeriesItems(reference),
  });
  notExpressed.push(...made.notExpressed.map((part) => ({ file: added.file, slot: null, part })));
  return added.reference;
};

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
    onWritten: ({ sha256 }, file, keys) => images.set(sha256, writtenImage(file, keys)),
    objects: async (rows, nameOf) => {
      const sent = await sentDisplays(db, rows, images);
      const list = presentations(nameOf, new Date());
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
