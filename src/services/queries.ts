import { QueryClient } from '@tanstack/query-core';
import { welcome } from '../../contract/about.ts';
import { accountInfo, firstAdministrator } from '../../contract/account.ts';
import { type ChangeSubject, changesGet } from '../../contract/changes.ts';
import { azureGet } from '../../contract/configuration.ts';
import { damagedImages } from '../../contract/damaged-images.ts';
import { dicomFetches, dicomFetchSources } from '../../contract/dicom-fetches.ts';
import { dicomDestinations, dicomSendings } from '../../contract/dicom-sendings.ts';
import { imageDose, patientDose } from '../../contract/dose.ts';
import { gradeGet } from '../../contract/grades.ts';
import { importsOpen } from '../../contract/import-calls.ts';
import { monitorCheckList } from '../../contract/monitor-checks.ts';
import { type NoteSubject, noteGet } from '../../contract/notes.ts';
import { patientGet, patientSearchPrivate } from '../../contract/patients.ts';
import { presentationStates } from '../../contract/presentation-states.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/route.ts';
import { studiesByPatient } from '../../contract/studies.ts';
import { templates, viewsetGet } from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import { failureOf, isWorthRetrying } from './failure.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';
import type { Writes } from './writes.ts';

export type { Administration, UsersScope } from './administration.ts';
export type { DownloadRequest, Gallery, GalleryQuery as GalleryAsked, LinkRequest } from './gallery.ts';
export type { Passkeys } from './passkeys.ts';
export type { Pictures } from './pictures.ts';
export type { Pins } from './pins.ts';
export type { Query } from './query.ts';
export { queryRoots } from './query-roots.ts';
export type { DownloadProgress } from './read-zip.ts';
export type { DeletableRecord as BinRecord, Records } from './records.ts';

/** Loads the write calls at first use: the sign-in page does not need them. */
const lazyWrites = (load: () => Promise<Writes>) => {
  const lazy =
    <Name extends keyof Writes>(name: Name) =>
    async (...args: Parameters<Writes[Name]>): Promise<Awaited<ReturnType<Writes[Name]>>> => {
      const write = (await load())[name] as (...args: Parameters<Writes[Name]>) => ReturnType<Writes[Name]>;
      return await write(...args);
    };
  return {
    createPatient: lazy('createPatient'),
    updatePatient: lazy('updatePatient'),
    updateStudy: lazy('updateStudy'),
    updateImage: lazy('updateImage'),
    deleteRecord: lazy('deleteRecord'),
    restoreRecord: lazy('restoreRecord'),
    createViewset: lazy('createViewset'),
    updateViewset: lazy('updateViewset'),
    saveNote: lazy('saveNote'),
    saveGrade: lazy('saveGrade'),
    addMonitorCheck: lazy('addMonitorCheck'),
    sendToDevice: lazy('sendToDevice'),
    cancelSending: lazy('cancelSending'),
    removeSending: lazy('removeSending'),
    searchDevice: lazy('searchDevice'),
    fetchStudies: lazy('fetchStudies'),
    cancelFetch: lazy('cancelFetch'),
    removeFetch: lazy('removeFetch'),
    createTemplate: lazy('createTemplate'),
    templateFile: lazy('templateFile'),
    importTemplate: lazy('importTemplate'),
    favorTemplate: lazy('favorTemplate'),
    saveAzure: lazy('saveAzure'),
    removeAzure: lazy('removeAzure'),
    testMail: lazy('testMail'),
    testSms: lazy('testSms'),
  };
};

/** Creates the queries of the archive and the write calls of forms. */
export const createQueries = (call: Call, client: QueryClient, writes: () => Promise<Writes>) => ({
  welcome: () => query<ReplyOf<typeof welcome>>(['welcome'], (signal) => call(welcome, { signal })),
  /** The account of the signed-in user. */
  account: () =>
    query<ReplyOf<typeof accountInfo>>([queryRoots.account], (signal) => call(accountInfo, { query: {}, signal })),
  /** Null: not configured. */
  azure: () => query<ReplyOf<typeof azureGet>>([queryRoots.azure], (signal) => call(azureGet, { signal })),
  /** Images whose stored file is damaged or missing. */
  damagedImages: (params: { readonly page: number; readonly ppage: number }) =>
    query<ReplyOf<typeof damagedImages>>([queryRoots.damagedImages, params], (signal) =>
      call(damagedImages, { query: params, signal }),
    ),
  patients: (params: BodyOf<typeof patientSearchPrivate>) =>
    query<ReplyOf<typeof patientSearchPrivate>>([queryRoots.patients, params], (signal) =>
      call(patientSearchPrivate, { body: params, signal }),
    ),
  patient: (id: string) =>
    query<ReplyOf<typeof patientGet>>([queryRoots.patient, id], (signal) =>
      call(patientGet, { params: { id }, signal }),
    ),
  studies: (patientId: string, params: QueryOf<typeof studiesByPatient>) =>
    query<ReplyOf<typeof studiesByPatient>>([queryRoots.studies, patientId, params], (signal) =>
      call(studiesByPatient, { params: { id: patientId }, query: params, signal }),
    ),
  viewset: (id: string) =>
    query<ReplyOf<typeof viewsetGet>>([queryRoots.viewset, id], (signal) =>
      call(viewsetGet, { params: { id }, signal }),
    ),
  /** All versions of the note on an image or viewset. */
  note: (subject: NoteSubject, id: string) =>
    query<ReplyOf<typeof noteGet>>([queryRoots.note, subject, id], (signal) =>
      call(noteGet, { params: { subject, id }, signal }),
    ),
  /** Changes of a study, or of an image and its study. Read when they are shown, because each reading is logged. */
  changes: (subject: ChangeSubject, id: string) => ({
    ...query<ReplyOf<typeof changesGet>>([queryRoots.changes, subject, id], (signal) =>
      call(changesGet, { params: { subject, id }, signal }),
    ),
    staleTime: 0,
  }),
  /** Presentation states of the patient that refer to the image. */
  presentationStates: (patientId: string, id: string) =>
    query<ReplyOf<typeof presentationStates>>([queryRoots.presentationStates, patientId, id], (signal) =>
      call(presentationStates, { params: { id }, signal }),
    ),
  /** What the file of an image states about its exposure. */
  imageDose: (id: string) =>
    query<ReplyOf<typeof imageDose>>([queryRoots.dose, 'image', id], (signal) =>
      call(imageDose, { params: { id }, signal }),
    ),
  /** Stated doses of a patient by year. */
  patientDose: (id: string) => ({
    ...query<ReplyOf<typeof patientDose>>([queryRoots.dose, 'patient', id], (signal) =>
      call(patientDose, { params: { id }, signal }),
    ),
    staleTime: 0,
  }),
  /** All grades of an image. */
  grades: (id: string) =>
    query<ReplyOf<typeof gradeGet>>([queryRoots.grade, id], (signal) => call(gradeGet, { params: { id }, signal })),
  /** Checks of the monitors of a clinic, newest first. */
  monitorChecks: (customerId: string, params: QueryOf<typeof monitorCheckList>) =>
    query<ReplyOf<typeof monitorCheckList>>([queryRoots.monitorChecks, customerId, params], (signal) =>
      call(monitorCheckList, { params: { customerId }, query: params, signal }),
    ),
  /** Templates that all clinics have, and those of this clinic. */
  templates: (customerId: string) =>
    query<ReplyOf<typeof templates>>([queryRoots.templates, customerId], (signal) =>
      call(templates, { query: { customerId }, signal }),
    ),
  /** Open imports of a patient, or of the user in a clinic; with `received` also what was sent to it. */
  importsOpen: (params: QueryOf<typeof importsOpen>) =>
    query<ReplyOf<typeof importsOpen>>(
      [queryRoots.imports, params.patientId ?? params.customerId, params.received],
      (signal) => call(importsOpen, { query: params, signal }),
    ),
  /** Devices of a clinic that images can be sent to. */
  dicomDestinations: (customerId: string) =>
    query<ReplyOf<typeof dicomDestinations>>([queryRoots.dicomDevices, customerId, 'destinations'], (signal) =>
      call(dicomDestinations, { params: { customerId }, signal }),
    ),
  /** Images of the user on the way to devices. */
  dicomSendings: (customerId: string) =>
    query<ReplyOf<typeof dicomSendings>>([queryRoots.dicomSendings, customerId], (signal) =>
      call(dicomSendings, { params: { customerId }, signal }),
    ),
  /** Devices of a clinic that studies can be fetched from. */
  dicomFetchSources: (customerId: string) =>
    query<ReplyOf<typeof dicomFetchSources>>([queryRoots.dicomDevices, customerId, 'sources'], (signal) =>
      call(dicomFetchSources, { params: { customerId }, signal }),
    ),
  /** Studies of the user on the way from devices. */
  dicomFetches: (customerId: string) =>
    query<ReplyOf<typeof dicomFetches>>([queryRoots.dicomFetches, customerId], (signal) =>
      call(dicomFetches, { params: { customerId }, signal }),
    ),
  createFirstAdministrator: async (
    body: BodyOf<typeof firstAdministrator>,
  ): Promise<ReplyOf<typeof firstAdministrator>> => {
    const created = await call(firstAdministrator, { body });
    void client.invalidateQueries({ queryKey: ['welcome'] });
    return created;
  },
  ...lazyWrites(writes),
});

export type Queries = ReturnType<typeof createQueries>;

const maxRetries = 2;

/** Returns the delay from Retry-After, else one second, then two. */
const retryDelay = (count: number, error: unknown): number => {
  const failure = failureOf(error);
  return (failure.kind === 'refused' && failure.retryAfterMs) || 1_000 * 2 ** count;
};

/** Creates the query cache. Only network and server errors are retried. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (count, error) => count < maxRetries && isWorthRetrying(failureOf(error)),
        retryDelay,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
