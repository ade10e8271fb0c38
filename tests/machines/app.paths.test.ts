import { expect, it } from 'vitest';
import { type AppActor, selectIsStarting } from '../../src/machines/app/app.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { app } from './models/app.ts';

type Snapshot = ReturnType<AppActor['getSnapshot']>;

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const isOpen = snapshot.matches({ work: 'open' });
  // The session's actors live exactly as long as the session.
  for (const child of ['connection', 'imports', 'patientSearch', 'viewer', 'viewset'] as const)
    expect(child in snapshot.children, `${child}: ${label}`).toBe(isOpen);
  expect(snapshot.children.session, label).toBeDefined();
  if (!isOpen) expect(snapshot.context.clinicId, label).toBeNull();
  // No page is shown before the session is resolved.
  const settled = path.steps.some(({ event }) => event.type === 'session.settled');
  if (!settled) expect(selectIsStarting(snapshot), label).toBe(true);
};

it('walks every transition of the application', () => walkAll([{ ...app, invariants }]));
