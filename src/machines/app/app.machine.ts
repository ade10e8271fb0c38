import { type ActorRefFrom, assign, emit, type SnapshotFrom, sendTo, setup } from 'xstate';
import type { ConnectionActor, connectionMachine } from '../connection/connection.machine.ts';
import type { ImportsActor, importsMachine } from '../imports/imports.machine.ts';
import type { PatientSearchActor, patientSearchMachine } from '../patient-search/patient-search.machine.ts';
import { machineSlot } from '../port.ts';
import { type SessionActor, sessionMachine } from '../session/session.machine.ts';
import type { ViewerActor, viewerMachine } from '../viewer/viewer.machine.ts';
import type { ViewsetActor, viewsetMachine } from '../viewset/viewset.machine.ts';
import type { AppEmitted, AppEvent } from './app.events.ts';
import { hear } from './hear.ts';

interface AppContext {
  /** The clinic with which the children of a session begin. */
  clinicId: string | null;
}

/** The root: shows itself when it knows who is there, and keeps what belongs to a session for exactly as long. */
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
      hearSession: 'hear';
      hearConnection: 'hear';
      hearPatientSearch: 'hear';
    },
  },
  actors: {
    // What belongs to a session is fetched when there is one: the sign-in page does without.
    session: sessionMachine,
    connection: machineSlot<typeof connectionMachine>('connection'),
    imports: machineSlot<typeof importsMachine>('imports'),
    patientSearch: machineSlot<typeof patientSearchMachine>('patientSearch'),
    viewer: machineSlot<typeof viewerMachine>('viewer'),
    viewset: machineSlot<typeof viewsetMachine>('viewset'),
    hear,
  },
  actions: {
    tellPlaceWanted: emit((_, place: string): AppEmitted => ({ type: 'place.wanted', place })),
  },
  delays: { minimumWait: 1_300, spinnerDelay: 300 },
}).createMachine({
  id: 'app',
  context: { clinicId: null },
  invoke: [
    { id: 'session', src: 'session', systemId: 'session' },
    { id: 'hearSession', src: 'hear', input: { from: 'session' } },
  ],
  on: {
    'place.entered': { actions: sendTo('session', ({ event }) => event) },
    'place.wanted': { actions: { type: 'tellPlaceWanted', params: ({ event }) => event.place } },
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
            patience: {
              initial: 'calm',
              states: { calm: { after: { spinnerDelay: 'spinning' } }, spinning: { type: 'final' } },
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
          // What is not kept yet is sent while there is somebody signed in to send it.
          exit: sendTo('viewer', { type: 'viewer.closed' }),
          invoke: [
            { id: 'connection', src: 'connection', systemId: 'connection' },
            { id: 'hearConnection', src: 'hear', input: { from: 'connection' } },
            { id: 'imports', src: 'imports' },
            {
              id: 'patientSearch',
              src: 'patientSearch',
              systemId: 'patientSearch',
              input: ({ context }) => ({ clinicId: context.clinicId }),
            },
            { id: 'hearPatientSearch', src: 'hear', input: { from: 'patientSearch' } },
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
            'news.heard': {
              actions: [sendTo('imports', ({ event }) => event), sendTo('viewset', ({ event }) => event)],
            },
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

/** The start-up overlay is shown. */
export const selectIsStarting = (snapshot: AppSnapshot): boolean => snapshot.matches({ screen: 'starting' });
/** It is known whether somebody is signed in: from then on there is a page, though perhaps behind the overlay. */
export const selectIsVisitorKnown = (snapshot: AppSnapshot): boolean =>
  !snapshot.matches({ screen: { starting: { visitor: 'unknown' } } });
/** The start-up took long enough for a spinner. */
export const selectShowsSpinner = (snapshot: AppSnapshot): boolean =>
  snapshot.matches({ screen: { starting: { patience: 'spinning' } } });
export const selectSession = (snapshot: AppSnapshot): SessionActor | undefined => snapshot.children.session;
/** The following exist while somebody is signed in. */
export const selectConnection = (snapshot: AppSnapshot): ConnectionActor | undefined => snapshot.children.connection;
export const selectImportsTray = (snapshot: AppSnapshot): ImportsActor | undefined => snapshot.children.imports;
export const selectPatientSearch = (snapshot: AppSnapshot): PatientSearchActor | undefined =>
  snapshot.children.patientSearch;
export const selectViewer = (snapshot: AppSnapshot): ViewerActor | undefined => snapshot.children.viewer;
export const selectViewsetActor = (snapshot: AppSnapshot): ViewsetActor | undefined => snapshot.children.viewset;
