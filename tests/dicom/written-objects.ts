import type { StateContent } from '../../dicom/display-objects/model.ts';
import { writeDisplay } from '../../dicom/display-objects/write-display.ts';
import { type StateToWrite, writeState } from '../../dicom/display-objects/write-state.ts';

export const owner = {
  patient: { id: '19800101-1234', name: 'Lindström^Åsa', birthDate: '19800101', sex: null },
  study: {
    uid: '2.25.1002',
    id: 'A1',
    date: '20260312',
    time: '101500',
    description: 'Check-up',
    accessionNumber: null,
  },
};

const object = {
  sopInstanceUid: '2.25.77',
  seriesUid: '2.25.78',
  seriesNumber: 9001,
  seriesDescription: 'Dentarium',
  number: 1,
  createdAt: new Date('2026-03-14T10:15:00Z'),
  description: 'Full mouth',
};

/** The image of `smallObject`. */
export const image = {
  sopClassUid: '1.2.840.10008.5.1.4.1.1.1.1',
  sopInstanceUid: '2.25.1001',
  seriesUid: '2.25.1003',
  studyUid: '2.25.1002',
  columns: 8,
  rows: 6,
  frames: 1,
  aspectRatio: null,
  iccProfile: null,
} satisfies StateToWrite['image'];

export const plainContent: StateContent = {
  rotation: 0,
  flip: false,
  grey: { modality: { kind: 'rescale', slope: 1, intercept: 0 }, voi: null, inverted: false },
  marks: [],
};

const state = {
  ...image,
  sopClassUid: '1.2.840.10008.5.1.4.1.1.11.1',
  sopInstanceUid: '2.25.79',
  seriesUid: '2.25.78',
};

/** The bytes of a presentation state of the image. */
export const stateFileOf = (
  content: StateContent,
  changes: Partial<StateToWrite['image']> = {},
  own: unknown = {},
  owned = owner,
): Uint8Array =>
  writeState({
    owner: owned,
    object: { ...object, sopInstanceUid: state.sopInstanceUid },
    image: { ...image, ...changes },
    content,
    own,
  });

/** The bytes of a display with the image and an empty slot. */
export const displayFile = (
  size = { width: 600, height: 400 },
  owned = owner,
  own: unknown = {},
  shown = image,
): Uint8Array => {
  const place = { left: 0.25, top: 0, right: 0.5, bottom: 0.5 };
  return writeDisplay({
    owner: owned,
    object,
    size,
    boxes: [
      { place, image: { reference: shown, state } },
      { place: { ...place, left: 0.5, right: 1 }, image: null },
    ],
    texts: [{ place: { ...place, top: 0.4375 }, text: '18 17' }],
    own,
  });
};
