import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { ErrorItem, ProblemCode } from '../../../contract/problem.ts';
import type { Series, Study } from '../../../contract/studies.ts';
import type { Template } from '../../../contract/viewsets.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { anImage, aViewset, idOf } from '../records.ts';
import { show } from '../render.tsx';

const patientId = idOf(1);

export const patient = (changes: Partial<Patient['mainInfo']> = {}, version = 3): Patient => ({
  id: patientId,
  customerId: idOf(2),
  mainInfo: {
    firstName: 'Anna',
    lastName: 'Lind',
    birthDate: '1985-04-23',
    sex: 'F',
    personalNumber: '198504232384',
    comments: null,
    lastStudyDate: '2026-03-02',
    protectedIdentity: false,
    ...changes,
  },
  totalStudies: 1,
  version,
});

export const image = (number: number, changes: Partial<ImageInfo> = {}): ImageInfo =>
  anImage(idOf(100 + number), {
    name: `Bitewing ${number}`,
    number,
    order: number,
    teeth: [16, 17],
    version: 4,
    ...changes,
  });

export const series = (images: ImageInfo[]): Series => ({
  id: idOf(5),
  uid: '2.25.5',
  modality: 'IO',
  number: 1,
  description: 'Bitewing',
  images,
});

export const study = (changes: Partial<Study> = {}): Study => ({
  id: idOf(6),
  uid: '2.25.6',
  patientId,
  description: 'Check-up',
  studyDate: '2026-03-02',
  creationDate: '2026-03-02T10:00:00.000Z',
  accessionNumber: null,
  version: 7,
  series: [series([image(1), image(2)])],
  viewsets: [{ viewSetUuid: idOf(7), name: 'FMX 18', templateUUID: null, filledSlots: 2, slots: 18, mounted: [] }],
  ...changes,
});

export const template = (number: number, name: string, isFavorite = false): Template => ({
  uuid: idOf(200 + number),
  name,
  width: 20,
  height: 8,
  isFavorite,
  modality: 'IO',
  viewSetItems: [0, 1].map((itemIndex) => ({
    itemIndex,
    order: itemIndex + 1,
    xPos: itemIndex * 10,
    yPos: 0,
    width: 10,
    height: 8,
    rotation: itemIndex * 90,
    horizontalFlip: false,
    teeth: [],
    description: null,
  })),
});

export const viewset = aViewset([], { name: 'FMX 18', comments: 'Before', width: 20, height: 8, version: 9 });

/** The error of a service for a rejected call. */
export const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 409, code, errors });

const held = <T,>(key: string, reply: T) => ({ queryKey: [key], queryFn: async () => reply });

/** Fakes an API with these records; records writes, and rejects them on request. */
const archive = () => ({
  patient: () => held('patient', patient()),
  studies: () => held('studies', { data: [study()], totalCount: 1 }),
  viewset: () => held('viewset', viewset),
  templates: () => held('templates', [template(1, 'FMX 18', true), template(2, 'Bitewing 2'), template(3, 'Panorama')]),
  createPatient: vi.fn<AppQueries['createPatient']>(async () => patient()),
  updatePatient: vi.fn<AppQueries['updatePatient']>(async () => patient()),
  updateStudy: vi.fn<AppQueries['updateStudy']>(async () => study()),
  updateImage: vi.fn<AppQueries['updateImage']>(async () => image(1)),
  deleteRecord: vi.fn<AppQueries['deleteRecord']>(async () => undefined),
  restoreRecord: vi.fn<AppQueries['restoreRecord']>(async () => undefined),
  createViewset: vi.fn<AppQueries['createViewset']>(async () => viewset),
  updateViewset: vi.fn<AppQueries['updateViewset']>(async () => viewset),
  createTemplate: vi.fn<AppQueries['createTemplate']>(async () => template(9, 'Own')),
  templateFile: vi.fn<AppQueries['templateFile']>(async () => new Blob(['DICM'])),
  importTemplate: vi.fn<AppQueries['importTemplate']>(async () => ({
    template: template(2, 'Bitewing 2'),
    notTaken: [],
  })),
  favorTemplate: vi.fn<AppQueries['favorTemplate']>(async () => undefined),
});

type Archive = ReturnType<typeof archive>;

export const writing = (changes: Partial<AppQueries> = {}): Archive => ({
  ...archive(),
  ...(changes as Partial<Archive>),
});

// jsdom has no font loading API.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

export const showWith = (queries: Partial<AppQueries>, piece: ReactNode) =>
  show(
    <AppQueriesProvider value={queries as AppQueries}>
      <Notifications />
      {piece}
    </AppQueriesProvider>,
  );
