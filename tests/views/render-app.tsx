import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { CurrentUser } from '../../contract/account.ts';
import { defaultClaims, type RoleName } from '../../contract/claims.ts';
import type { HubEvent } from '../../contract/hub.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { type ConnectionEvent, connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { lockMachine } from '../../src/machines/lock/lock.machine.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account, Clinic } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant, Grant } from '../../src/machines/session/session.setup.ts';
import { viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { createPreferences } from '../../src/services/preferences.ts';
import { App } from '../../src/views/app/app.tsx';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { createTranslation, loadAuthTexts, loadHelpTexts } from '../../src/views/language/translation.ts';
import { wholeApp } from '../machines/models/app.ts';
import './render.tsx';
import { aUser } from './signed-in-session.ts';

/** Sets up an English tab with empty storage and a wide window, and longer timeouts for the lazy pages. */
export const withFreshTab = (): void => {
  vi.setConfig({ testTimeout: 90_000 });
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem('dentarium.preferences', JSON.stringify({ language: 'en' }));
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
    // jsdom has no font loading events.
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  });
  afterEach(() => vi.restoreAllMocks());
};

export const aClinic: Clinic = { id: '00000000-0000-4000-8000-000000000900', name: 'Solrosen' };

interface AppOptions {
  /** Null: signed out. */
  readonly as?: RoleName | null;
  readonly clinic?: Clinic | null;
  /** Claims instead of those of the role. */
  readonly permission?: readonly string[];
  /** Of the account, in addition to its role. */
  readonly user?: Partial<CurrentUser>;
  /** Restores a stored session at the start. */
  readonly restore?: () => Promise<FoundGrant | null>;
  readonly renew?: () => Promise<Grant>;
  /** Reloads the permissions. */
  readonly recheck?: () => Promise<readonly string[]>;
  /** Loads a viewset. */
  readonly openViewset?: () => Promise<Viewset>;
  readonly queries?: Partial<AppQueries>;
  readonly appContext?: Partial<AppContext>;
}

const never = () => new Promise<never>(() => {});
const pending = new Proxy({} as AppQueries, {
  get: (_, name) => (query: unknown) => ({ queryKey: [name, query], queryFn: never }),
});

/** Renders the whole app over a fake session, hub and clock; queries stay pending unless given. */
export const openApp = async (address: string, options: AppOptions = {}) => {
  const { as = 'Doctor', clinic = as === 'SuperAdmin' ? null : aClinic, queries, appContext } = options;
  window.history.replaceState(null, '', address);
  const permission = options.permission ?? (as ? defaultClaims[as] : []);
  const account = async (): Promise<Account> => ({
    user: { ...aUser(as ?? 'Doctor', clinic), ...options.user },
    permission,
    clinic,
    knownClaims: permission,
  });
  const clock = new SimulatedClock();
  let hub: (event: ConnectionEvent) => void = () => {};
  const app = createActor(
    wholeApp.provide({
      actors: {
        session: sessionMachine.provide({
          actors: {
            restoreSession: fromPromise<FoundGrant | null, void>(
              options.restore ?? (async () => (as ? { renewInMs: 600_000 } : null)),
            ),
            resolveAccount: fromPromise<Account, void>(account),
            recheckPermissions: fromPromise<readonly string[], void>(options.recheck ?? (async () => permission)),
            renewToken: fromPromise<Grant, void>(options.renew ?? (async () => ({ renewInMs: 600_000 }))),
            signOut: fromPromise(async () => {}),
            watchSession: fromCallback(() => {}),
          },
        }),
        viewset: viewsetMachine.provide({ actors: { openViewset: fromPromise(options.openViewset ?? never) } }),
        connection: connectionMachine.provide({
          actors: {
            listenToHub: fromCallback(({ sendBack }) => {
              hub = sendBack;
            }),
          },
        }),
      },
    }),
    { clock },
  ).start();
  const preferences = createPreferences(localStorage);
  const translation = await createTranslation(preferences.current().language);
  // Modules are cached across tests but each test has its own translation, so its texts are loaded here.
  await Promise.all([loadAuthTexts(translation), loadHelpTexts(translation)]);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const value = {
    app,
    expectsSignIn: as !== null,
    records: never,
    administration: never,
    passkeys: never,
    pins: { set: never, remove: never },
    gallery: never,
    accessLog: never,
    twoFactor: never,
    lock: lockMachine.provide({ actors: { watchLock: fromCallback(() => {}) } }),
    wasLocked: () => false,
    openImages: never,
    themeChoice: () => preferences.current().theme,
    rememberTheme: (theme) => preferences.change({ theme }),
    rememberLanguage: (language) => preferences.change({ language }),
    ...appContext,
  } as Partial<AppContext> as AppContext;
  const piece = (
    <I18nextProvider i18n={translation}>
      <QueryClientProvider client={client}>
        <AppQueriesProvider value={queries ? Object.assign(Object.create(pending), queries) : pending}>
          <AppContextProvider value={value}>
            <App />
          </AppContextProvider>
        </AppQueriesProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
  await act(async () => render(piece));
  return {
    app,
    client,
    /** Advances the clock and renders. */
    pass: (ms: number) => act(async () => clock.increment(ms)),
    /** Emits a hub event. */
    emitHubEvent: (event: ConnectionEvent | { type: 'hub-event.received'; hubEvent: HubEvent }) =>
      act(async () => hub(event)),
  };
};

/** Like `openApp`, after the start. */
export const startedApp = async (address: string, options: AppOptions = {}) => {
  const opened = await openApp(address, options);
  await opened.pass(1_300);
  return opened;
};
