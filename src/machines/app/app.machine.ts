import { type ActorRefFrom, assign, emit, type SnapshotFrom, sendTo, setup } from 'xstate';
import type { ConnectionActor, connectionMachine } from '../connection/connection.machine.ts';
import type { ImportsActor, importsMachine } from '../imports/imports.machine.ts';
import type { PatientSearchActor, patientSearchMachine } from '../patient-search/patient-search.machine.ts';
import { machineSlot } from '../port.ts';
import { type SessionActor, sessionMachine } from '../session/session.machine.ts';
import type { ViewerActor, viewerMachine } from '../viewer/viewer.machine.ts';
import type { ViewsetActor, viewsetMachine } from '../viewset/viewset.machine.ts';
import type { AppEmitted, AppEvent } from './app.events.ts';
import { forwardEvents } from './forward-events.ts';

interface AppContext {
  /** The clinic that is passed to the children of a session. */
  clinicId: string | null;
}

/** The root machine: shows the page when the user is known; children of a session live as long as the session. */
export const appMachine = setup({
  types: {
    context: {} as AppContext,
    events: {} as AppEvent,
    emitted: {} as AppEmitted,
    children: {} as {
      session: 'session';
      connection: 'connection';
      imports: 'imports';
      patientSearch: 'patientSearch';
      viewer: 'viewer';
      viewset: 'viewset';
      forwardSessionEvents: 'forwardEvents';
      forwardConnectionEvents: 'forwardEvents';
      forwardPatientSearchEvents: 'forwardEvents';
    },
  },
  actors: {
    // Code of a session's machines is loaded after sign-in: the sign-in page does not need it.
    session: sessionMachine,
    connection: machineSlot<typeof connectionMachine>('connection'),
    imports: machineSlot<typeof importsMachine>('imports'),
    patientSearch: machineSlot<typeof patientSearchMachine>('patientSearch'),
    viewer: machineSlot<typeof viewerMachine>('viewer'),
    viewset: machineSlot<typeof viewsetMachine>('viewset'),
    forwardEvents,
  },
  actions: {
    requestNavigation: emit((_, path: string): AppEmitted => ({ type: 'navigation.requested', path })),
  },
  delays: { minimumWait: 1_300, spinnerDelay: 300 },
}).createMachine({
  id: 'app',
  context: { clinicId: null },
  invoke: [
    { id: 'session', src: 'session', systemId: 'session' },
    { id: 'forwardSessionEvents', src: 'forwardEvents', input: { from: 'session' } },
  ],
  on: {
    'path.entered': { actions: sendTo('session', ({ event }) => event) },
    'navigation.requested': { actions: { type: 'requestNavigation', params: ({ event }) => event.path } },
  },
  type: 'parallel',
  states: {
    screen: {
      initial: 'starting',
      states: {
        starting: {
          type: 'parallel',
          onDone: 'running',
          states: {
            spinner: {
              initial: 'hidden',
              states: { hidden: { after: { spinnerDelay: 'shown' } }, shown: { type: 'final' } },
            },
            overlay: {
              initial: 'shown',
              states: { shown: { after: { minimumWait: 'over' } }, over: { type: 'final' } },
            },
            visitor: {
              initial: 'unknown',
              states: { unknown: { on: { 'session.settled': 'known' } }, known: { type: 'final' } },
            },
          },
        },
        running: {},
      },
    },
    work: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'session.opened': {
              target: 'open',
              actions: assign({ clinicId: ({ event }) => event.clinic?.id ?? null }),
            },
          },
        },
        open: {
          // Unsaved changes are sent while the token is still valid.
          exit: sendTo('viewer', { type: 'viewer.closed' }),
          invoke: [
            { id: 'connection', src: 'connection', systemId: 'connection' },
            { id: 'forwardConnectionEvents', src: 'forwardEvents', input: { from: 'connection' } },
            { id: 'imports', src: 'imports' },
            {
              id: 'patientSearch',
              src: 'patientSearch',
              systemId: 'patientSearch',
              input: ({ context }) => ({ clinicId: context.clinicId }),
            },
            { id: 'forwardPatientSearchEvents', src: 'forwardEvents', input: { from: 'patientSearch' } },
            { id: 'viewer', src: 'viewer' },
            { id: 'viewset', src: 'viewset' },
          ],
          on: {
            'session.closed': { target: 'closed', actions: assign({ clinicId: null }) },
            'clinic.changed': {
              actions: [
                assign({ clinicId: ({ event }) => event.clinic?.id ?? null }),
                sendTo('patientSearch', ({ event }) => ({
                  type: 'clinic.changed',
                  clinicId: event.clinic?.id ?? null,
                })),
                sendTo('viewer', { type: 'viewer.closed' }),
                sendTo('viewset', { type: 'viewset.closed' }),
              ],
            },
            'hub-event.received': { actions: sendTo('imports', ({ event }) => event) },
            'connection.restored': {
              actions: [sendTo('imports', ({ event }) => event), sendTo('viewset', ({ event }) => event)],
            },
          },
        },
      },
    },
  },
});

export type AppActor = ActorRefFrom<typeof appMachine>;
type AppSnapshot = SnapshotFrom<typeof appMachine>;

/** Returns whether the start-up overlay is shown. */
export const selectIsStarting = (snapshot: AppSnapshot): boolean => snapshot.matches({ screen: 'starting' });
/** Returns whether it is known if a user is signed in; from then on a page is rendered, perhaps behind the overlay. */
export const selectIsVisitorKnown = (snapshot: AppSnapshot): boolean =>
  !snapshot.matches({ screen: { starting: { visitor: 'unknown' } } });
/** Returns whether the start-up took long enough for a spinner. */
export const selectShowsSpinner = (snapshot: AppSnapshot): boolean =>
  snapshot.matches({ screen: { starting: { spinner: 'shown' } } });
export const selectSession = (snapshot: AppSnapshot): SessionActor | undefined => snapshot.children.session;
/** The following actors exist while a user is signed in. */
export const selectConnection = (snapshot: AppSnapshot): ConnectionActor | undefined => snapshot.children.connection;
export const selectImportsTray = (snapshot: AppSnapshot): ImportsActor | undefined => snapshot.children.imports;
export const selectPatientSearch = (snapshot: AppSnapshot): PatientSearchActor | undefined =>
  snapshot.children.patientSearch;
export const selectViewer = (snapshot: AppSnapshot): ViewerActor | undefined => snapshot.children.viewer;
export const selectViewsetActor = (snapshot: AppSnapshot): ViewsetActor | undefined => snapshot.children.viewset;
