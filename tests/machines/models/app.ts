import { appMachine } from '../../../src/machines/app/app.machine.ts';
import { connectionMachine } from '../../../src/machines/connection/connection.machine.ts';
import { importsMachine } from '../../../src/machines/imports/imports.machine.ts';
import { patientSearchMachine } from '../../../src/machines/patient-search/patient-search.machine.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import type { Model } from '../../paths.ts';

const news = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;
const clinic = { id: 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01', name: 'Solrosen' };

/** The root with the machines that the product puts into its slots once somebody is signed in. */
export const wholeApp = appMachine.provide({
  actors: {
    connection: connectionMachine,
    imports: importsMachine,
    patientSearch: patientSearchMachine,
    viewer: viewerMachine,
    viewset: viewsetMachine,
  },
});

/** The root, from the first picture to a session that comes and goes. */
export const app: Model = {
  name: 'application',
  machine: wholeApp,
  events: [
    { type: 'place.entered', place: '/patient/1' },
    { type: 'place.wanted', place: '/' },
    { type: 'session.settled' },
    { type: 'session.opened', clinic: null },
    { type: 'session.closed' },
    { type: 'clinic.changed', clinic },
    { type: 'news.heard', news },
    { type: 'connection.restored' },
  ],
  facts: ({ context }) => context,
};
