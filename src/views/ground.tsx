import { createContext, useContext } from 'react';
import type { accessLogGet, accessLogPeople } from '../../contract/access-log.ts';
import type { ImportKind } from '../../contract/imports.ts';
import type { InteractionOutcome, interactionAbort, interactionGet, smsRequest } from '../../contract/interactions.ts';
import type { resetPassword } from '../../contract/passwords.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/route.ts';
import type { LanguageOfLetters } from '../../contract/sign-in.ts';
import type { AppActor } from '../machines/app/app.machine.ts';
import type { bankIdMachine } from '../machines/bank-id/bank-id.machine.ts';
import type { ImportStudyActor } from '../machines/import-study/import-study.machine.ts';
import type { Inspect } from '../machines/port.ts';
import type { twoFactorMachine } from '../machines/two-factor/two-factor.machine.ts';
import type { Administration, Gallery, Records } from '../services/queries.ts';
import type { Images } from '../viewer/index.ts';
import type { Language } from './language/languages.ts';
import type { ThemeChoice } from './theme/appearance.ts';

/** A file of the browser. `path`: folders and name within what was chosen, parted by `/`. */
export interface FileToImport {
  readonly file: File;
  readonly path: string;
}

/** What was chosen as one thing, and becomes one import. */
export interface FilesToImport {
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly FileToImport[];
}

/** Where an import goes: to a patient, or (`patientId` null) to a clinic, to be decided study by study. */
export interface ImportTarget {
  readonly patientId: string | null;
  readonly customerId: string;
}

export type LogAsked = Omit<QueryOf<typeof accessLogGet>, 'before' | 'ppage'>;

/** An extract that somebody wants. Days `YYYY-MM-DD`, both included. */
export interface ExtractAsked {
  readonly patientId: string;
  readonly format: 'csv' | 'pdf';
  readonly language: Language;
  readonly from?: string;
  readonly to?: string;
}

export interface AccessLog {
  /** Entries older than the one of id `before` (null: the newest), newest first. */
  readonly page: (asked: LogAsked, before: string | null, signal: AbortSignal) => Promise<ReplyOf<typeof accessLogGet>>;
  /** Whose entries one may ask for, by name. */
  readonly people: (
    asked: { readonly customerId?: string },
    signal: AbortSignal,
  ) => Promise<ReplyOf<typeof accessLogPeople>>;
  /** The extract for a patient, as a file. */
  readonly extract: (
    asked: ExtractAsked,
    signal: AbortSignal,
  ) => Promise<{ readonly name: string; readonly content: Blob }>;
}

/** One authorization request that waits for the person at the screen. `uid` names it. Each call throws ServiceError. */
export interface SignInDoors {
  readonly details: (uid: string) => Promise<ReplyOf<typeof interactionGet>>;
  readonly password: (uid: string, username: string, password: string) => Promise<InteractionOutcome>;
  /** After `code-needed`. */
  readonly code: (uid: string, code: string) => Promise<InteractionOutcome>;
  /** After `choose-account`. */
  readonly account: (uid: string, id: string) => Promise<InteractionOutcome>;
  /** Gives up; the browser goes where the answer says. */
  readonly abort: (uid: string) => Promise<ReplyOf<typeof interactionAbort>>;
  readonly requestSms: (uid: string, email: string, language: LanguageOfLetters) => Promise<ReplyOf<typeof smsRequest>>;
  readonly verifySms: (uid: string, code: string) => Promise<InteractionOutcome>;
}

/** Passwords of people who are not signed in. Each call throws ServiceError. */
export interface PasswordDoors {
  /** Has a letter sent. Answers alike whether there is such an account or not. */
  readonly requestReset: (email: string, language: LanguageOfLetters) => Promise<void>;
  /** Sets the password by what the link of the letter carries. */
  readonly reset: (body: BodyOf<typeof resetPassword>) => Promise<void>;
}

/** What stands when React begins: the root actor, and the few doors to the world that are no actor. */
export interface Ground {
  readonly app: AppActor;
  /** Somebody was signed in here before, and will be again if the archive agrees. */
  readonly expectsSomebody: boolean;
  /** For actors that are not children of `app`. */
  readonly inspect?: Inspect | undefined;
  /** The pictures of the viewer; its code is fetched at the first call. */
  readonly openImages: () => Promise<Images>;
  /** Puts imports into the tray, one for each group. */
  readonly importFiles: (target: ImportTarget, groups: readonly FilesToImport[]) => void;
  /** Gives files to an import of the tray whose upload stopped, or that lacks files. Answers how many of them it took. */
  readonly addFiles: (one: ImportStudyActor, files: readonly FileToImport[]) => number;
  readonly signIn: SignInDoors;
  readonly passwords: PasswordDoors;
  /** The machine of a BankID order, one actor for each page that shows one: `useActorRef(bankId, { input: { uid } })`. */
  readonly bankId: typeof bankIdMachine;
  /** The two-factor wizard's machine, one actor for each time that it is opened; its code is fetched at the first call. */
  readonly twoFactor: () => Promise<typeof twoFactorMachine>;
  /** The access log; its code is fetched at the first call. */
  readonly accessLog: () => Promise<AccessLog>;
  /** Clinics, people, roles and numbers; its code is fetched at the first call. */
  readonly administration: () => Promise<Administration>;
  /** What is found, deleted, brought back and merged; its code is fetched at the first call. */
  readonly records: () => Promise<Records>;
  /** The images of a clinic; its code is fetched at the first call. */
  readonly gallery: () => Promise<Gallery>;
  readonly themeChoice: () => ThemeChoice;
  readonly rememberTheme: (choice: ThemeChoice) => void;
  readonly rememberLanguage: (language: Language) => void;
}

const GroundContext = createContext<Ground | null>(null);
export const GroundProvider = GroundContext.Provider;

export const useGround = (): Ground => {
  const ground = useContext(GroundContext);
  if (!ground) throw new Error('Ground is used outside its provider');
  return ground;
};
