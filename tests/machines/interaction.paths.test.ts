import { expect, it } from 'vitest';
import {
  type InteractionActor,
  selectAccounts,
  selectClientName,
  selectInteractionFailure,
  selectInteractionStep,
  selectIsIdentifying,
  selectSentSms,
} from '../../src/machines/interaction/interaction.machine.ts';
import type { Identification } from '../../src/machines/interaction/interaction.setup.ts';
import type { Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { finished, interaction } from './models/interaction.ts';

type Snapshot = ReturnType<InteractionActor['getSnapshot']>;

const labelOf = (path: Path) => path.steps.map(({ event }) => event.type).join(' -> ');

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = labelOf(path);
  const step = selectInteractionStep(snapshot);
  const calls = ['identify', 'requestSms'].filter((name) => name in snapshot.children);
  // One attempt at a time, shown as busy, and without the error of the one before.
  expect(calls.length, label).toBe(selectIsIdentifying(snapshot) ? 1 : 0);
  if (calls.length > 0) {
    expect(selectInteractionFailure(snapshot), label).toBeNull();
    expect(snapshot.can({ type: 'sms.requested', email: 'a@example.test', language: 'en' }), label).toBe(false);
  }
  // A code or an account is accepted only in the step that asks for it, a passkey also instead of a password.
  const accepts = (identification: Identification) =>
    snapshot.can({ type: 'identification.requested', identification });
  if (accepts({ kind: 'code', code: '1' })) expect(step, label).toBe('code-needed');
  if (accepts({ kind: 'passkey' })) expect(['method', 'code-needed'], label).toContain(step);
  if (accepts({ kind: 'account', id: '1' })) expect(step, label).toBe('choose-account');
  if (step === 'choose-account') expect(selectAccounts(snapshot), label).not.toEqual([]);
  // Until the user is identified, another method can be chosen.
  if (snapshot.matches('ready')) expect(snapshot.can({ type: 'method.changed' }), label).toBe(true);
  expect(step === 'expired', label).toBe(snapshot.matches('expired'));
  expect(step === 'finished', label).toBe(snapshot.matches('finished'));
  // The methods are shown once the request is loaded.
  if (step === 'method') expect(selectClientName(snapshot), label).not.toBeNull();
  if (step === 'loading' || step === 'unreachable') expect(selectSentSms(snapshot), label).toBeNull();
};

it('walks every transition of an interaction', () =>
  walkAll([{ ...interaction, invariants }], {
    check: ({ emitted }, path) => {
      const label = labelOf(path);
      const redirects = emitted.filter(({ type }) => type === 'redirect.requested');
      const aborted = path.steps.filter(({ event }) => event.type === 'xstate.done.actor.abort');
      // The browser leaves once the user is signed in, or the request is aborted; never otherwise.
      const end = path.steps.at(-1)?.state as Snapshot;
      const isFinished = selectInteractionStep(end) === 'finished';
      expect(redirects.length, label).toBe(aborted.length + (isFinished ? 1 : 0));
      if (isFinished) expect(redirects.at(-1), label).toMatchObject({ address: finished.redirectTo });
    },
  }));
