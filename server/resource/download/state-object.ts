import type { Display } from '../../../contract/displays.ts';
import { imageSeriesItems } from '../../../dicom/display-objects/common-elements.ts';
import { stateClassOf, writeState } from '../../../dicom/display-objects/write-state.ts';
import type { DisplayedRow } from '../../db/stores/mounts-to-export.ts';
import type { OwnState } from '../../domain/display-objects/own-content.ts';
import { stateContentOf } from '../../domain/display-objects/state-content.ts';
import type { AddedObjects } from './added-objects.ts';
import type { NotExpressed, SentImage } from './gathered.ts';
import type { WrittenImage } from './written-images.ts';

/** An image that is on the medium, with its marks. */
export interface SentDisplay {
  readonly row: SentImage;
  readonly image: WrittenImage;
  readonly stored: DisplayedRow;
}

/** What is written, and what that does not say. */
export interface DisplayWork {
  readonly list: AddedObjects;
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
    references: imageSeriesItems([reference]),
  });
  notExpressed.push(...made.notExpressed.map((part) => ({ file: added.file, slot: null, part })));
  return added.reference;
};
