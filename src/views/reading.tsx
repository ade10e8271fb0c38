import { createContext, useContext } from 'react';
import { z } from 'zod';
import type { welcome } from '../../contract/about.ts';
import type { CurrentUser, firstAdministrator } from '../../contract/account.ts';
import type { AzureSettings } from '../../contract/configuration.ts';
import type { importsOpen } from '../../contract/import-calls.ts';
import type { Patient, patientSearchPrivate } from '../../contract/patients.ts';
import { type ErrorItem, errorItem } from '../../contract/problem.ts';
import type { BodyOf, ReplyOf } from '../../contract/route.ts';
import type { studiesByPatient } from '../../contract/studies.ts';
import type { Template, Viewset } from '../../contract/viewsets.ts';
import type { Queries } from '../services/queries.ts';
import type { ToldFailure } from './language/failure-text.ts';

/** One thing to read: under which key it is kept, and how it is fetched. */
export interface Readable<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
}

export interface PageAsked {
  readonly page: number;
  readonly ppage: number;
}

export type ImportsAsked = { readonly patientId: string } | { readonly customerId: string };

/** What forms and dialogs write; each makes old what it changes. */
export type Writing = Pick<
  Queries,
  | 'createPatient'
  | 'updatePatient'
  | 'updateStudy'
  | 'updateImage'
  | 'deleteRecord'
  | 'restoreRecord'
  | 'createViewset'
  | 'updateViewset'
  | 'createTemplate'
  | 'favorTemplate'
  | 'saveAzure'
  | 'removeAzure'
>;

/** All that views read of the archive, and what they write by a form. */
export interface Reading extends Writing {
  readonly welcome: () => Readable<ReplyOf<typeof welcome>>;
  /** Who is signed in, as the archive has it now. */
  readonly account: () => Readable<CurrentUser>;
  /** Null: not set up. */
  readonly azure: () => Readable<AzureSettings | null>;
  readonly patients: (
    asked: PageAsked & {
      readonly customerId: string;
      readonly q: string;
      /** Days of the last study, both included. */
      readonly from?: string;
      readonly to?: string;
      readonly after?: string;
    },
  ) => Readable<ReplyOf<typeof patientSearchPrivate>>;
  readonly patient: (id: string) => Readable<Patient>;
  readonly studies: (patientId: string, asked: PageAsked) => Readable<ReplyOf<typeof studiesByPatient>>;
  readonly viewset: (id: string) => Readable<Viewset>;
  /** Templates that all clinics have, and those of this clinic; favourites first, then by name. */
  readonly templates: (customerId: string) => Readable<Template[]>;
  /** Imports that are not done: of a patient, or the person's own in a clinic. */
  readonly importsOpen: (asked: ImportsAsked) => Readable<ReplyOf<typeof importsOpen>>;
  readonly createFirstAdministrator: (body: BodyOf<typeof firstAdministrator>) => Promise<unknown>;
}

const ReadingContext = createContext<Reading | null>(null);
export const ReadingProvider = ReadingContext.Provider;

export const useReading = (): Reading => {
  const reading = useContext(ReadingContext);
  if (!reading) throw new Error('Reading is used outside its provider');
  return reading;
};

const toldFailure = z.object({
  kind: z.string(),
  code: z.string().nullable().catch(null),
  claims: z.array(z.string()).optional().catch(undefined),
});

/** What a failed read or write was told to be; services put it into the error. */
export const failureOfQuery = (error: unknown): ToldFailure => {
  const failure = typeof error === 'object' && error !== null && 'failure' in error ? error.failure : null;
  const told = toldFailure.safeParse(failure);
  if (!told.success) return { kind: 'unexpected' };
  const { kind, code, claims } = told.data;
  return { kind, code, ...(claims && { claims }) };
};

/** The fields that a refusal names; none when it names none. */
export const refusedFields = (error: unknown): readonly ErrorItem[] => {
  const failure = typeof error === 'object' && error !== null && 'failure' in error ? error.failure : null;
  const items = typeof failure === 'object' && failure !== null && 'errors' in failure ? failure.errors : null;
  return errorItem.array().safeParse(items).data ?? [];
};
