import { describe, expect, it } from 'vitest';
import {
  type AssociationActor,
  selectAbort,
  selectEnd,
  selectIsOver,
  selectMaySend,
  selectMustAnswerRelease,
} from '../../server/dimse/association/association.machine.ts';
import type { Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { association } from './models/association.ts';

type Snapshot = ReturnType<AssociationActor['getSnapshot']>;

const types = (path: Path) => path.steps.map(({ event }) => event.type);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = types(path).join(' -> ');
  // Whatever is over has a reason, and only what is over has one.
  expect(selectEnd(snapshot) !== null, label).toBe(selectIsOver(snapshot));
  if (selectEnd(snapshot) === 'aborted' && snapshot.matches('awaitingClose'))
    expect(selectAbort(snapshot), label).not.toBeNull();
  // Nothing is sent before the association is accepted, and nothing after its end.
  const accepted = ['request.accepted', 'associate-accept.received'].some((type) => types(path).includes(type));
  if (selectMaySend(snapshot)) expect(accepted && !selectIsOver(snapshot), label).toBe(true);
  // Only a peer that requested the release is answered.
  if (selectMustAnswerRelease(snapshot)) expect(types(path), label).toContain('release-request.received');
  // A released association was accepted, and both sides knew of its release.
  if (selectEnd(snapshot) === 'released')
    expect(accepted && types(path).some((type) => type.startsWith('release')), label).toBe(true);
};

describe('association', () => {
  it('walks every transition, opened by a peer and by the archive', () => walkAll([{ ...association, invariants }]));
});
