import { expect, it } from 'vitest';
import { type AppActor, selectIsStarting } from '../../src/machines/app/app.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { app } from './models/app.ts';

type Snapshot = ReturnType<AppActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
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
};

it('walks every transition of the application', () => walkAll([{ ...app, invariants }]));
