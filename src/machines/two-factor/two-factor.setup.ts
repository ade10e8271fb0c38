import { assign, emit, setup } from 'xstate';
import { type Failure, isRefusedAs } from '../../services/failure.ts';
import { port } from '../port.ts';

/** What an authenticator needs, by camera or by hand. */
export interface SharedKey {
  /** Base32 (RFC 4648). */
  readonly sharedKey: string;
  /** `otpauth://totp/...` */
  readonly authenticatorUri: string;
}

type TwoFactorEvent =
  /** The authenticator has the key. */
  | { type: 'key.stored' }
  /** The key is to be shown again. */
  | { type: 'key.wanted' }
  | { type: 'setup.retried' }
  | { type: 'code.submitted'; code: string }
  /** The person says that the recovery codes lie in a safe place, or takes it back. */
  | { type: 'codes.kept'; kept: boolean }
  | { type: 'codes.finished' }
  /** Two-factor is to be turned off, because its recovery codes were never seen. */
  | { type: 'disabling.wanted' }
  /** The person wants to be elsewhere. */
  | { type: 'wizard.left' };

/** What the machine says aloud: the account is another than before. */
interface TwoFactorEmitted {
  type: 'account.changed';
}

interface TwoFactorInput {
  /** What the person came for. */
  readonly wish: 'turn-on' | 'turn-off';
}

interface TwoFactorContext {
  readonly wish: TwoFactorInput['wish'];
  key: SharedKey | null;
  /** The last code that was typed. */
  code: string;
  /** Shown once: the archive keeps only what they hash to. */
  recoveryCodes: readonly string[];
  failure: Failure | null;
}

/** What the chart of two-factor uses: ports, guards, actions. */
export const chart = setup({
  types: {
    context: {} as TwoFactorContext,
    events: {} as TwoFactorEvent,
    emitted: {} as TwoFactorEmitted,
    input: {} as TwoFactorInput,
  },
  actors: {
    /** A new key. It counts from the moment in which its first code is verified. */
    setUp: port<SharedKey, void>('setUp'),
    /** Turns two-factor on; answers with the recovery codes. */
    verify: port<readonly string[], { code: string }>('verify'),
    disable: port<void, { code: string }>('disable'),
    /** Is two-factor on, by the archive's own word? */
    askIfOn: port<boolean, void>('askIfOn'),
  },
  guards: {
    wantsOff: ({ context }) => context.wish === 'turn-off',
    anyCode: (_, code: string) => code.trim() !== '',
    wrongCode: (_, failure: Failure) =>
      isRefusedAs(failure, 'incorrect-code') || isRefusedAs(failure, 'too-many-requests'),
    isOn: (_, on: boolean) => on,
    isOff: (_, on: boolean) => !on,
    kept: (_, kept: boolean) => kept,
    takenBack: (_, kept: boolean) => !kept,
  },
  actions: {
    rememberKey: assign({ key: (_, key: SharedKey) => key }),
    rememberCode: assign({ code: (_, code: string) => code.trim() }),
    rememberCodes: assign({ recoveryCodes: (_, codes: readonly string[]) => codes }),
    rememberFailure: assign({ failure: (_, failure: Failure) => failure }),
    forgetFailure: assign({ failure: null }),
    /** What lets somebody in is kept no longer than it is shown. */
    forgetSecrets: assign({ key: null, code: '', recoveryCodes: [] }),
    tellChanged: emit({ type: 'account.changed' } satisfies TwoFactorEmitted),
  },
});
