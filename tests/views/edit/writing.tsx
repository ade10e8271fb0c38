import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { ErrorItem, ProblemCode } from '../../../contract/problem.ts';
import type { Series, Study } from '../../../contract/studies.ts';
import type { Template, Viewset } from '../../../contract/viewsets.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { type Reading, ReadingProvider } from '../../../src/views/reading.tsx';
import { show } from '../render.tsx';

export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const patientId = idOf(1);

export const patient = (changes: Partial<Patient['mainInfo']> = {}, version = 3): Patient => ({
  id: patientId,
  customerId: idOf(2),
  mainInfo: {
    ...{ firstName: 'Anna', lastName: 'Lind', birthDate: '1985-04-23', sex: 'F', personalNumber: '198504232384' },
    ...{ comments: null, lastStudyDate: '2026-03-02' },
    ...changes,
  },
  totalStudies: 1,
  version,
});

export const image = (number: number, changes: Partial<ImageInfo> = {}): ImageInfo => ({
  ...{ uid: idOf(100 + number), sopInstanceUid: `2.25.${number}`, kind: 'image', name: `Bitewing ${number}`, number },
  ...{ order: number, width: 8, height: 6, frames: 1, imageAcquiredDate: null, imageComment: null },
  ...{ imageCompression: 'none', imageFileName: 'a.dcm', imageFileSize: 10, imageSensorType: null },
  ...{ imageTransferSyntax: '1.2.840.10008.1.2.1', source: 'dicom', seriesModalityValue: 'IO', seriesUid: '2.25.5' },
  ...{ studyUid: '2.25.6', viewsetId: null, teeth: [16, 17], teethSource: 'file', laterality: null },
  ...{ activeImageThumbLink: null, display: null, displayVersion: 0, marks: [], calibration: null, marksVersion: 0 },
  version: 4,
  ...changes,
});

export const series = (images: ImageInfo[]): Series => ({
  ...{ id: idOf(5), uid: '2.25.5', modality: 'IO', number: 1, description: 'Bitewing', images },
});

export const study = (changes: Partial<Study> = {}): Study => ({
  ...{ id: idOf(6), uid: '2.25.6', patientId, description: 'Check-up', studyDate: '2026-03-02' },
  ...{ creationDate: '2026-03-02T10:00:00.000Z', accessionNumber: null, version: 7 },
  series: [series([image(1), image(2)])],
  viewsets: [{ viewSetUuid: idOf(7), name: 'FMX 18', templateUUID: null, filledSlots: 2, slots: 18 }],
  ...changes,
});

export const template = (number: number, name: string, isFavorite = false): Template => ({
  ...{ uuid: idOf(200 + number), name, width: 20, height: 8, isFavorite, modality: 'IO' },
  viewSetItems: [0, 1].map((itemIndex) => ({
    ...{ itemIndex, order: itemIndex + 1, xPos: itemIndex * 10, yPos: 0, width: 10, height: 8 },
    ...{ rotation: itemIndex * 90, horizontalFlip: false, teeth: [], description: null },
  })),
});

export const viewset: Viewset = {
  ...{ viewSetUuid: idOf(7), name: 'FMX 18', comments: 'Before', templateUUID: null, width: 20, height: 8 },
  ...{ patientId, studyUid: '2.25.6', version: 9, viewSetItems: [], detachedImages: [] },
};

/** What a service throws when the archive says no. */
export const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 409, code, errors });

const held = <T,>(key: string, reply: T) => ({ queryKey: [key], queryFn: async () => reply });

/** An archive that holds these records; what is written to it is noted, and refused when a test says so. */
const archive = () => ({
  patient: () => held('patient', patient()),
  studies: () => held('studies', { data: [study()], totalCount: 1 }),
  viewset: () => held('viewset', viewset),
  templates: () => held('templates', [template(1, 'FMX 18', true), template(2, 'Bitewing 2'), template(3, 'Panorama')]),
  createPatient: vi.fn<Reading['createPatient']>(async () => patient()),
  updatePatient: vi.fn<Reading['updatePatient']>(async () => patient()),
  updateStudy: vi.fn<Reading['updateStudy']>(async () => study()),
  updateImage: vi.fn<Reading['updateImage']>(async () => image(1)),
  deleteRecord: vi.fn<Reading['deleteRecord']>(async () => undefined),
  restoreRecord: vi.fn<Reading['restoreRecord']>(async () => undefined),
  createViewset: vi.fn<Reading['createViewset']>(async () => viewset),
  updateViewset: vi.fn<Reading['updateViewset']>(async () => viewset),
  createTemplate: vi.fn<Reading['createTemplate']>(async () => template(9, 'Own')),
  favorTemplate: vi.fn<Reading['favorTemplate']>(async () => undefined),
});

type Archive = ReturnType<typeof archive>;

export const writing = (changes: Partial<Reading> = {}): Archive => ({
  ...archive(),
  ...(changes as Partial<Archive>),
});

// jsdom has no fonts to wait for.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

export const showWith = (reading: Partial<Reading>, piece: ReactNode) =>
  show(
    <ReadingProvider value={reading as Reading}>
      <Notifications />
      {piece}
    </ReadingProvider>,
  );
