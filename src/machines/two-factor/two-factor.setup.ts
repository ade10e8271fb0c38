import { assign, emit, setup } from 'xstate';
import { type Failure, hasProblemCode } from '../../services/failure.ts';
import { port } from '../port.ts';

/** The secret for an authenticator, as QR code or typed. */
export interface SharedKey {
  /** Base32 (RFC 4648). */
  readonly sharedKey: string;
  /** `otpauth://totp/...` */
  readonly authenticatorUri: string;
}

type TwoFactorEvent =
  /** The user added the key to the authenticator. */
  | { type: 'key.stored' }
  /** The user goes back to the key. */
  | { type: 'key.requested' }
  | { type: 'setup.retried' }
  | { type: 'code.submitted'; code: string }
  /** The user checked or cleared the box "I have saved the recovery codes". */
  | { type: 'confirmation.changed'; confirmed: boolean }
  | { type: 'codes.finished' }
  /** The user turns two-factor off because the recovery codes were never shown. */
  | { type: 'disabling.requested' }
  /** The user closes the wizard. */
  | { type: 'wizard.left' };

/** Emitted when the account has changed. */
interface TwoFactorEmitted {
  type: 'account.changed';
}

interface TwoFactorInput {
  readonly goal: 'turn-on' | 'turn-off';
}

interface TwoFactorContext {
  readonly goal: TwoFactorInput['goal'];
  key: SharedKey | null;
  /** The last code entered. */
  code: string;
  /** Shown once: the archive stores only hashes. */
  recoveryCodes: readonly string[];
  failure: Failure | null;
}

/** Ports, guards and actions of the two-factor wizard. */
export const chart = setup({
  types: {
    context: {} as TwoFactorContext,
    events: {} as TwoFactorEvent,
    emitted: {} as TwoFactorEmitted,
    input: {} as TwoFactorInput,
  },
  actors: {
    /** Fetches a new key; it becomes valid when its first code is verified. */
    setUp: port<SharedKey, void>('setUp'),
    /** Turns two-factor on and returns the recovery codes. */
    verify: port<readonly string[], { code: string }>('verify'),
    disable: port<void, { code: string }>('disable'),
    /** Returns whether two-factor is on according to the archive. */
    fetchStatus: port<boolean, void>('fetchStatus'),
  },
  guards: {
    turningOff: ({ context }) => context.goal === 'turn-off',
    anyCode: (_, code: string) => code.trim() !== '',
    codeRejected: (_, failure: Failure) =>
      hasProblemCode(failure, 'incorrect-code') || hasProblemCode(failure, 'too-many-requests'),
    isOn: (_, on: boolean) => on,
    isOff: (_, on: boolean) => !on,
    confirmed: (_, confirmed: boolean) => confirmed,
    notConfirmed: (_, confirmed: boolean) => !confirmed,
  },
  actions: {
    setKey: assign({ key: (_, key: SharedKey) => key }),
    setCode: assign({ code: (_, code: string) => code.trim() }),
    setCodes: assign({ recoveryCodes: (_, codes: readonly string[]) => codes }),
    setFailure: assign({ failure: (_, failure: Failure) => failure }),
    clearFailure: assign({ failure: null }),
    /** Secrets stay in memory only while they are shown. */
    clearSecrets: assign({ key: null, code: '', recoveryCodes: [] }),
    emitChanged: emit({ type: 'account.changed' } satisfies TwoFactorEmitted),
  },
});
