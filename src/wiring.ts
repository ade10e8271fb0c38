import { createActor } from 'xstate';
import { type AppActor, appMachine, selectSession, selectViewer } from './machines/app/app.machine.ts';
import type { bankIdMachine } from './machines/bank-id/bank-id.machine.ts';
import type { Inspect } from './machines/port.ts';
import { selectClinic, selectIsSignedIn } from './machines/session/session.machine.ts';
import type { twoFactorMachine } from './machines/two-factor/two-factor.machine.ts';
import { askedOnce } from './services/asked-once.ts';
import type { LoadBytes } from './services/images.ts';
import type { PreferenceStore } from './services/preferences.ts';
import type { Queries } from './services/queries.ts';
import type { AccessLog, PasswordDoors, SignInDoors } from './views/ground.tsx';
import { wiredBankId } from './wiring/bank-id.ts';
import { keepDrafts } from './wiring/drafts.ts';
import type { Rooms } from './wiring/rooms.ts';
import { clinicKey, createServices, neverCame, type Services } from './wiring/services.ts';
import { wiredSession } from './wiring/session.ts';
import { startWaits } from './wiring/start-waits.ts';

export interface StartedApp {
  readonly app: AppActor;
  readonly queryClient: Services['queryClient'];
  readonly queries: Queries;
  readonly preferences: PreferenceStore;
  /** The bytes of an image, as the viewer wants them. */
  readonly loadBytes: LoadBytes;
  readonly importFiles: Rooms['importFiles'];
  readonly addFiles: Rooms['addFiles'];
  /** Somebody was signed in here before, and will be again if the archive agrees. */
  readonly expectsSomebody: boolean;
  /** Work that the archive does not have yet. */
  readonly drafts: Services['drafts'];
  readonly signIn: SignInDoors;
  readonly passwords: PasswordDoors;
  readonly bankId: typeof bankIdMachine;
  /** The access log; its code is fetched at the first call. */
  readonly accessLog: () => Promise<AccessLog>;
  /** What administrators read and write; its code is fetched at the first call. */
  readonly administration: Services['administration'];
  /** What is found, deleted, brought back and merged; its code is fetched at the first call. */
  readonly records: Services['records'];
  /** The images of a clinic; its code is fetched at the first call. */
  readonly gallery: Services['gallery'];
  /** The wizard's machine; its code is fetched at the first call. */
  readonly twoFactor: () => Promise<typeof twoFactorMachine>;
}

/** The clinic that a super administrator chose survives a reload of the tab. */
const rememberClinic = (app: AppActor): void => {
  selectSession(app.getSnapshot())?.subscribe((snapshot) => {
    if (!selectIsSignedIn(snapshot)) return;
    const clinic = selectClinic(snapshot);
    if (clinic) sessionStorage.setItem(clinicKey, clinic.id);
    else sessionStorage.removeItem(clinicKey);
  });
};

/** A page that goes out of sight may not come back. */
const tellHidden = (app: AppActor): void => {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') selectViewer(app.getSnapshot())?.send({ type: 'page.hidden' });
  });
};

interface StartOptions {
  readonly inspect?: Inspect | undefined;
  /** Fetches the pages of those who are signed in: they are entered when that is there too. */
  readonly fetchPages: () => Promise<unknown>;
}

/** Builds the services, fills every port with them and starts the root actor. Once, outside React. */
export const startApp = ({ inspect, fetchPages }: StartOptions): StartedApp => {
  const services = createServices(location.origin);
  let rooms: Rooms | null = null;
  const enter = askedOnce(async () => {
    const [{ openRooms }] = await Promise.all([import('./wiring/rooms.ts'), fetchPages()]).catch(neverCame);
    rooms = openRooms(machine, app, services);
  });
  const machine = appMachine.provide({
    actors: { session: wiredSession(services, enter) },
    delays: startWaits(performance.now()),
  });
  const app: AppActor = createActor(machine, { inspect });
  app.start();
  // Where the person wanted to be before the browser went elsewhere to sign in, or before the page was begun anew.
  const wanted = services.address.wanted();
  if (wanted) app.send({ type: 'place.entered', place: wanted });
  rememberClinic(app);
  tellHidden(app);
  const { queryClient, queries, preferences, loadBytes } = services;
  keepDrafts(app, services.drafts);
  return {
    app,
    queryClient,
    queries,
    preferences,
    expectsSomebody: services.tokens.current() !== null,
    loadBytes,
    importFiles: (target, groups) => rooms?.importFiles(target, groups),
    addFiles: (one, files) => rooms?.addFiles(one, files) ?? 0,
    signIn: services.signIn,
    passwords: services.passwords,
    bankId: wiredBankId(services),
    accessLog: services.accessLog,
    administration: services.administration,
    records: services.records,
    gallery: services.gallery,
    drafts: services.drafts,
    twoFactor: async () => (await import('./wiring/two-factor.ts')).wiredTwoFactor(services),
  };
};
