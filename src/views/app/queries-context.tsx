import { createContext, useContext } from 'react';
import { z } from 'zod';
import type { welcome } from '../../../contract/about.ts';
import type { CurrentUser, firstAdministrator } from '../../../contract/account.ts';
import type { ChangeSubject, changesGet } from '../../../contract/changes.ts';
import type { AzureSettings } from '../../../contract/configuration.ts';
import type { damagedImages } from '../../../contract/damaged-images.ts';
import type { dicomFetches, dicomFetchSources } from '../../../contract/dicom-fetches.ts';
import type { dicomDestinations, dicomSendings } from '../../../contract/dicom-sendings.ts';
import type { ImageDose, PatientDose } from '../../../contract/dose.ts';
import type { gradeGet } from '../../../contract/grades.ts';
import type { importsOpen } from '../../../contract/import-calls.ts';
import type { monitorCheckList } from '../../../contract/monitor-checks.ts';
import type { NoteSubject, noteGet } from '../../../contract/notes.ts';
import type { Patient, patientSearchPrivate } from '../../../contract/patients.ts';
import type { presentationStates } from '../../../contract/presentation-states.ts';
import { type ErrorItem, errorItem } from '../../../contract/problem.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../contract/route.ts';
import type { studiesByPatient } from '../../../contract/studies.ts';
import type { Template, Viewset } from '../../../contract/viewsets.ts';
import type { Queries } from '../../services/queries.ts';
import type { ReportedFailure } from '../language/failure-text.ts';

/** A query: its cache key and how to fetch it. */
export interface ReadQuery<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
  /** As in `Query`. */
  readonly staleTime?: number;
}

export interface PageQuery {
  readonly page: number;
  readonly ppage: number;
}

export type OpenImportsQuery =
  | { readonly patientId: string }
  /** `received`: also what programs and devices sent. */
  | { readonly customerId: string; readonly received?: 'true' };

/** Writes made by forms and dialogs; each invalidates the queries it affects. */
export type AppMutations = Pick<
  Queries,
  | 'createPatient'
  | 'updatePatient'
  | 'updateStudy'
  | 'updateImage'
  | 'deleteRecord'
  | 'restoreRecord'
  | 'createViewset'
  | 'updateViewset'
  | 'saveNote'
  | 'saveGrade'
  | 'addMonitorCheck'
  | 'sendToDevice'
  | 'cancelSending'
  | 'removeSending'
  | 'searchDevice'
  | 'fetchStudies'
  | 'cancelFetch'
  | 'removeFetch'
  | 'createTemplate'
  | 'templateFile'
  | 'importTemplate'
  | 'favorTemplate'
  | 'saveAzure'
  | 'removeAzure'
  | 'testMail'
  | 'testSms'
>;

/** All queries of the views, and the writes made by forms. */
export interface AppQueries extends AppMutations {
  readonly welcome: () => ReadQuery<ReplyOf<typeof welcome>>;
  /** The signed-in user as currently stored on the server. */
  readonly account: () => ReadQuery<CurrentUser>;
  /** Null when not configured. */
  readonly azure: () => ReadQuery<AzureSettings | null>;
  /** Images whose stored file is damaged or missing. */
  readonly damagedImages: (query: PageQuery) => ReadQuery<ReplyOf<typeof damagedImages>>;
  readonly patients: (
    query: PageQuery & {
      readonly customerId: string;
      readonly q: string;
      /** Dates of the last study, both inclusive. */
      readonly from?: string;
      readonly to?: string;
      readonly after?: string;
    },
  ) => ReadQuery<ReplyOf<typeof patientSearchPrivate>>;
  readonly patient: (id: string) => ReadQuery<Patient>;
  readonly studies: (patientId: string, query: PageQuery) => ReadQuery<ReplyOf<typeof studiesByPatient>>;
  readonly viewset: (id: string) => ReadQuery<Viewset>;
  /** All versions of the note on an image or viewset. */
  readonly note: (subject: NoteSubject, id: string) => ReadQuery<ReplyOf<typeof noteGet>>;
  /** Changes of a study, or of an image and its study, newest first. */
  readonly changes: (subject: ChangeSubject, id: string) => ReadQuery<ReplyOf<typeof changesGet>>;
  /** Presentation states of the patient that refer to the image, newest first. */
  readonly presentationStates: (patientId: string, id: string) => ReadQuery<ReplyOf<typeof presentationStates>>;
  /** What the file of an image states about its exposure. */
  readonly imageDose: (id: string) => ReadQuery<ImageDose>;
  /** Stated doses of a patient by year, newest first. */
  readonly patientDose: (id: string) => ReadQuery<PatientDose>;
  /** All grades of an image, newest first. */
  readonly grades: (id: string) => ReadQuery<ReplyOf<typeof gradeGet>>;
  /** Checks of the monitors of a clinic, or of one workstation, newest first. */
  readonly monitorChecks: (
    customerId: string,
    query: QueryOf<typeof monitorCheckList>,
  ) => ReadQuery<ReplyOf<typeof monitorCheckList>>;
  /** Shared templates and those of this clinic; favourites first, then by name. */
  readonly templates: (customerId: string) => ReadQuery<Template[]>;
  /** Unfinished imports of a patient, or the user's own in a clinic. */
  readonly importsOpen: (query: OpenImportsQuery) => ReadQuery<ReplyOf<typeof importsOpen>>;
  /** Devices of a clinic that images can be sent to. */
  readonly dicomDestinations: (customerId: string) => ReadQuery<ReplyOf<typeof dicomDestinations>>;
  /** Images of the user on the way to devices, in a clinic. */
  readonly dicomSendings: (customerId: string) => ReadQuery<ReplyOf<typeof dicomSendings>>;
  /** Devices of a clinic that studies can be fetched from. */
  readonly dicomFetchSources: (customerId: string) => ReadQuery<ReplyOf<typeof dicomFetchSources>>;
  /** Studies of the user on the way from devices, in a clinic. */
  readonly dicomFetches: (customerId: string) => ReadQuery<ReplyOf<typeof dicomFetches>>;
  readonly createFirstAdministrator: (body: BodyOf<typeof firstAdministrator>) => Promise<unknown>;
}

const AppQueriesContext = createContext<AppQueries | null>(null);
export const AppQueriesProvider = AppQueriesContext.Provider;

export const useAppQueries = (): AppQueries => {
  const queries = useContext(AppQueriesContext);
  if (!queries) throw new Error('AppQueries is used outside its provider');
  return queries;
};

const reportedFailure = z.object({
  kind: z.string(),
  code: z.string().nullable().catch(null),
  claims: z.array(z.string()).optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/** Returns the failure that a service attached to an error. */
export const failureOfQuery = (error: unknown): ReportedFailure => {
  const failure = typeof error === 'object' && error !== null && 'failure' in error ? error.failure : null;
  const parsed = reportedFailure.safeParse(failure);
  if (!parsed.success) return { kind: 'unexpected' };
  const { kind, code, claims, requestId } = parsed.data;
  return { kind, code, ...(claims && { claims }), ...(requestId && { requestId }) };
};

/** Returns the form fields named by the server's error; empty when it names none. */
export const rejectedFields = (error: unknown): readonly ErrorItem[] => {
  const failure = typeof error === 'object' && error !== null && 'failure' in error ? error.failure : null;
  const items = typeof failure === 'object' && failure !== null && 'errors' in failure ? failure.errors : null;
  return errorItem.array().safeParse(items).data ?? [];
};
