import { createContext, useContext } from 'react';
import type { accessLogGet, accessLogUsers } from '../../../contract/access-log.ts';
import type { ownPassword, resetLinkCreate, resetPassword } from '../../../contract/passwords.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../contract/route.ts';
import type { MailLanguage } from '../../../contract/sign-in.ts';
import type { AppActor } from '../../machines/app/app.machine.ts';
import type { bankIdMachine } from '../../machines/bank-id/bank-id.machine.ts';
import type { ImportStudyActor } from '../../machines/import-study/import-study.machine.ts';
import type { FilesToImport, FileToImport, ImportTarget } from '../../machines/imports/choose-files.ts';
import type { interactionMachine } from '../../machines/interaction/interaction.machine.ts';
import type { lockMachine } from '../../machines/lock/lock.machine.ts';
import type { Inspect } from '../../machines/port.ts';
import type { twoFactorMachine } from '../../machines/two-factor/two-factor.machine.ts';
import type { Administration, Gallery, Passkeys, Pictures, Pins, Records } from '../../services/queries.ts';
import type { Images } from '../../viewer/index.ts';
import type { Language } from '../language/languages.ts';
import type { ThemeChoice } from '../theme/theme.ts';
import type { LogReviews } from './log-reviews.ts';

export type LogQuery = Omit<QueryOf<typeof accessLogGet>, 'before' | 'ppage'>;

/** A requested access-log extract. Dates are `YYYY-MM-DD`, both inclusive. */
export interface ExtractRequest {
  readonly patientId: string;
  readonly format: 'csv' | 'pdf';
  readonly language: Language;
  readonly from?: string;
  readonly to?: string;
}

export interface AccessLog {
  /** Returns entries older than entry `before` (null: from the newest), newest first. */
  readonly page: (query: LogQuery, before: string | null, signal: AbortSignal) => Promise<ReplyOf<typeof accessLogGet>>;
  /** Returns the users whose entries may be filtered, by name. */
  readonly users: (
    query: { readonly customerId?: string },
    signal: AbortSignal,
  ) => Promise<ReplyOf<typeof accessLogUsers>>;
  /** Downloads the extract for a patient as a file. */
  readonly extract: (
    query: ExtractRequest,
    signal: AbortSignal,
  ) => Promise<{ readonly name: string; readonly content: Blob }>;
  readonly reviews: LogReviews;
}

/** Password reset by links, and the own password. Each call throws ServiceError. */
export interface PasswordCalls {
  /** Requests a reset e-mail. The reply does not reveal whether the account exists. */
  readonly requestReset: (email: string, language: MailLanguage) => Promise<void>;
  /** Gives a user a link on behalf of an administrator: sent by the mail server, or in the reply. */
  readonly createLink: (id: string, language: MailLanguage) => Promise<ReplyOf<typeof resetLinkCreate>>;
  /** Sets the password with the token from the link. */
  readonly reset: (body: BodyOf<typeof resetPassword>) => Promise<void>;
  /** Changes the own password; the other sessions of the account end. */
  readonly changeOwn: (body: BodyOf<typeof ownPassword>) => Promise<void>;
}

/** What exists before React renders: the root actor, and services that are not actors. */
export interface AppContext {
  readonly app: AppActor;
  /** A session was stored in this browser and will be restored if the server accepts it. */
  readonly expectsSignIn: boolean;
  /** Inspector for actors that are not children of `app`. */
  readonly inspect?: Inspect | undefined;
  /** Opens the viewer's image source; its code is loaded on the first call. */
  readonly openImages: () => Promise<Images>;
  /** Adds one import per group to the imports tray. */
  readonly importFiles: (target: ImportTarget, groups: readonly FilesToImport[]) => void;
  /** Adds files to an import whose upload stopped or lacks files. Returns how many were accepted. */
  readonly addFiles: (one: ImportStudyActor, files: readonly FileToImport[]) => number;
  readonly passwords: PasswordCalls;
  readonly pins: Pins;
  /** BankID order machine; each page creates its own actor: `useActorRef(bankId, { input: { uid } })`, with null for the locked session. */
  readonly bankId: typeof bankIdMachine;
  /** Machine of a pending authorization request, one actor per request. */
  readonly interaction: typeof interactionMachine;
  /** Two-factor wizard machine, one actor per opened dialog; loaded on the first call. */
  readonly twoFactor: () => Promise<typeof twoFactorMachine>;
  /** Machine of the lock, one actor per session. */
  readonly lock: typeof lockMachine;
  /** The session of the account was locked in this browser. */
  readonly wasLocked: (accountId: string) => boolean;
  /** Access log; loaded on the first call. */
  readonly accessLog: () => Promise<AccessLog>;
  /** Passkeys of the user; loaded on the first call. */
  readonly passkeys: () => Promise<Passkeys>;
  /** Clinics, users, roles and statistics; loaded on the first call. */
  readonly administration: () => Promise<Administration>;
  /** Search, deletion, restore and merge of records; loaded on the first call. */
  readonly records: () => Promise<Records>;
  /** Images of a clinic; loaded on the first call. */
  readonly gallery: () => Promise<Gallery>;
  /** Pictures that are saved or printed; loaded on the first call. */
  readonly pictures: () => Promise<Pictures>;
  readonly themeChoice: () => ThemeChoice;
  readonly rememberTheme: (choice: ThemeChoice) => void;
  readonly rememberLanguage: (language: Language) => void;
}

const ReactAppContext = createContext<AppContext | null>(null);
export const AppContextProvider = ReactAppContext.Provider;

export const useAppContext = (): AppContext => {
  const appContext = useContext(ReactAppContext);
  if (!appContext) throw new Error('AppContext is used outside its provider');
  return appContext;
};
