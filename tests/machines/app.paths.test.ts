import { expect, it } from 'vitest';
import { type AppActor, appMachine, selectIsStarting } from '../../src/machines/app/app.machine.ts';
import type { Model } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<AppActor['getSnapshot']>;

const news = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;
const clinic = { id: 'b1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01', name: 'Solrosen' };

const model: Model = {
  machine: appMachine,
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
  invariants: (raw, path) => {
    const snapshot = raw as Snapshot;
    const way = path.steps.map(({ event }) => event.type).join(' -> ');
    const isOpen = snapshot.matches({ work: 'open' });
    // What belongs to a session lives exactly as long.
    for (const child of ['connection', 'imports', 'patientSearch', 'viewer', 'viewset'] as const)
      expect(child in snapshot.children, `${child}: ${way}`).toBe(isOpen);
    expect(snapshot.children.session, way).toBeDefined();
    if (!isOpen) expect(snapshot.context.clinicId, way).toBeNull();
    // Nothing is shown before it is known who is there.
    const settled = path.steps.some(({ event }) => event.type === 'session.settled');
    if (!settled) expect(selectIsStarting(snapshot), way).toBe(true);
  },
};

it('walks every transition of the application', () => walkAll([model]));
