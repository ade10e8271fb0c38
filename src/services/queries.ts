import { QueryClient } from '@tanstack/query-core';
import { welcome } from '../../contract/about.ts';
import { accountInfo, firstAdministrator } from '../../contract/account.ts';
import { azureGet } from '../../contract/configuration.ts';
import { importsOpen } from '../../contract/import-calls.ts';
import { patientGet, patientSearchPrivate } from '../../contract/patients.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/route.ts';
import { studiesByPatient } from '../../contract/studies.ts';
import { templates, viewsetGet } from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import { failureOf, isWorthRetrying } from './failure.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';
import type { Writes } from './writes.ts';

export type { Administration, PeopleList } from './administration.ts';
export type { Gallery, GalleryAsked } from './gallery.ts';
export type { Query } from './query.ts';
export { queryRoots } from './query-roots.ts';
export type { BinRecord, Records } from './records.ts';

/** What forms write, fetched with the first of it: nobody writes on the sign-in page. */
const lateWrites = (load: () => Promise<Writes>) => {
  const late =
    <Name extends keyof Writes>(name: Name) =>
    async (...said: Parameters<Writes[Name]>): Promise<Awaited<ReturnType<Writes[Name]>>> => {
      const write = (await load())[name] as (...said: Parameters<Writes[Name]>) => ReturnType<Writes[Name]>;
      return await write(...said);
    };
  return {
    createPatient: late('createPatient'),
    updatePatient: late('updatePatient'),
    updateStudy: late('updateStudy'),
    updateImage: late('updateImage'),
    deleteRecord: late('deleteRecord'),
    restoreRecord: late('restoreRecord'),
    createViewset: late('createViewset'),
    updateViewset: late('updateViewset'),
    createTemplate: late('createTemplate'),
    favorTemplate: late('favorTemplate'),
    saveAzure: late('saveAzure'),
    removeAzure: late('removeAzure'),
  };
};

/** All that is read from the archive, and what forms write. */
export const createQueries = (call: Call, client: QueryClient, writes: () => Promise<Writes>) => ({
  welcome: () => query<ReplyOf<typeof welcome>>(['welcome'], (signal) => call(welcome, { signal })),
  /** Who is signed in, as the archive has it now. */
  account: () =>
    query<ReplyOf<typeof accountInfo>>([queryRoots.account], (signal) => call(accountInfo, { query: {}, signal })),
  /** Null: not set up. */
  azure: () => query<ReplyOf<typeof azureGet>>([queryRoots.azure], (signal) => call(azureGet, { signal })),
  patients: (asked: BodyOf<typeof patientSearchPrivate>) =>
    query<ReplyOf<typeof patientSearchPrivate>>([queryRoots.patients, asked], (signal) =>
      call(patientSearchPrivate, { body: asked, signal }),
    ),
  patient: (id: string) =>
    query<ReplyOf<typeof patientGet>>([queryRoots.patient, id], (signal) =>
      call(patientGet, { params: { id }, signal }),
    ),
  studies: (patientId: string, asked: QueryOf<typeof studiesByPatient>) =>
    query<ReplyOf<typeof studiesByPatient>>([queryRoots.studies, patientId, asked], (signal) =>
      call(studiesByPatient, { params: { id: patientId }, query: asked, signal }),
    ),
  viewset: (id: string) =>
    query<ReplyOf<typeof viewsetGet>>([queryRoots.viewset, id], (signal) =>
      call(viewsetGet, { params: { id }, signal }),
    ),
  /** Templates that all clinics have, and those of this clinic. */
  templates: (customerId: string) =>
    query<ReplyOf<typeof templates>>([queryRoots.templates, customerId], (signal) =>
      call(templates, { query: { customerId }, signal }),
    ),
  /** Imports that are not done: of a patient, or the person's own in a clinic. */
  importsOpen: (asked: QueryOf<typeof importsOpen>) =>
    query<ReplyOf<typeof importsOpen>>([queryRoots.imports, asked.patientId ?? asked.customerId], (signal) =>
      call(importsOpen, { query: asked, signal }),
    ),
  createFirstAdministrator: async (
    body: BodyOf<typeof firstAdministrator>,
  ): Promise<ReplyOf<typeof firstAdministrator>> => {
    const created = await call(firstAdministrator, { body });
    void client.invalidateQueries({ queryKey: ['welcome'] });
    return created;
  },
  ...lateWrites(writes),
});

export type Queries = ReturnType<typeof createQueries>;

const mostRetries = 2;

/** The cache. A refusal or a reply that breaks the contract is not asked for again; a lost line is. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (count, error) => count < mostRetries && isWorthRetrying(failureOf(error)),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
