import { appMachine } from '../../../src/machines/app/app.machine.ts';
import { connectionMachine } from '../../../src/machines/connection/connection.machine.ts';
import { importsMachine } from '../../../src/machines/imports/imports.machine.ts';
import { patientSearchMachine } from '../../../src/machines/patient-search/patient-search.machine.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import type { Model } from '../../paths.ts';

const changeEvent = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;
const clinic = { id: 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01', name: 'Solrosen' };

/** The root with the machines that the product provides after sign-in. */
export const wholeApp = appMachine.provide({
  actors: {
    connection: connectionMachine,
    imports: importsMachine,
    patientSearch: patientSearchMachine,
    viewer: viewerMachine,
    viewset: viewsetMachine,
  },
});

/** The root, from the splash screen to a session that opens and closes. */
export const app: Model = {
  name: 'application',
  machine: wholeApp,
  events: [
    { type: 'path.entered', path: '/patient/1' },
    { type: 'navigation.requested', path: '/' },
    { type: 'session.settled' },
    { type: 'session.opened', clinic: null },
    { type: 'session.closed' },
    { type: 'clinic.changed', clinic },
    { type: 'hub-event.received', hubEvent: changeEvent },
    { type: 'connection.restored' },
  ],
  facts: ({ context }) => context,
};
