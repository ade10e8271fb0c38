import { randomUUID } from 'node:crypto';
import type { ObjectIdentity, Owner } from '../../../dicom/display-objects/common-elements.ts';
import type { ImageReference } from '../../../dicom/display-objects/model.ts';
import type { DataSet } from '../../../dicom/write/data-set.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import type { AddedObject } from './dicom-medium.ts';

interface NewObject {
  readonly owner: Owner;
  readonly sopClassUid: string;
  readonly description: string;
  readonly write: (object: ObjectIdentity) => Uint8Array;
  /** The Referenced Series Sequence of its record; a report has none. */
  readonly references: readonly DataSet[];
}

const newUid = (): string => uidOfUuid(randomUUID());

/** Creates a list of objects, those of a study in one series. */
export const addedObjects = (nameOf: (index: number) => string, createdAt: Date, seriesNumber: number) => {
  const objects: AddedObject[] = [];
  const series = new Map<string, { readonly uid: string; count: number }>();

  const seriesOf = (studyUid: string) => {
    const known = series.get(studyUid) ?? { uid: newUid(), count: 0 };
    series.set(studyUid, known);
    return known;
  };

  /** Writes an object. Returns its reference and the name of its file. @throws RangeError */
  const add = ({ owner, sopClassUid, description, write, references }: NewObject) => {
    const own = seriesOf(owner.study.uid);
    const object: ObjectIdentity = {
      sopInstanceUid: newUid(),
      seriesUid: own.uid,
      seriesNumber,
      seriesDescription: 'Dentarium',
      number: own.count + 1,
      createdAt,
      description,
    };
    const bytes = write(object);
    own.count += 1;
    objects.push({ bytes, references });
    const { sopInstanceUid, seriesUid } = object;
    const reference: ImageReference = { sopClassUid, sopInstanceUid, seriesUid, studyUid: owner.study.uid };
    return { reference, file: nameOf(objects.length - 1) };
  };

  return { add, objects };
};
export type AddedObjects = ReturnType<typeof addedObjects>;
