import { type ActorRefFrom, assertEvent, type SnapshotFrom } from 'xstate';
import { type Failure, failureOf } from '../../services/failure.ts';
import { chart, type SharedKey } from './two-factor.setup.ts';

/**
 * Turns two-factor authentication on or off. After a lost reply the status is fetched first. The recovery codes are shown once, so the
 * wizard closes only after the user confirmed that they are saved.
 */
export const twoFactorMachine = chart.createMachine({
  id: 'two-factor',
  context: ({ input }) => ({ goal: input.goal, key: null, code: '', recoveryCodes: [], failure: null }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'turningOff', target: 'disabling' }, { target: 'settingUp' }] },
    settingUp: {
      entry: 'clearFailure',
      invoke: {
        id: 'setUp',
        src: 'setUp',
        onDone: { target: 'scanning', actions: { type: 'setKey', params: ({ event }) => event.output } },
        onError: {
          target: 'setupFailed',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
      on: { 'wizard.left': 'left' },
    },
    setupFailed: { on: { 'setup.retried': 'settingUp', 'wizard.left': 'left' } },
    scanning: { entry: 'clearFailure', on: { 'key.stored': 'verifying', 'wizard.left': 'left' } },
    verifying: {
      initial: 'enteringCode',
      states: {
        enteringCode: {
          on: {
            'code.submitted': {
              guard: { type: 'anyCode', params: ({ event }) => event.code },
              target: 'checking',
              actions: { type: 'setCode', params: ({ event }) => event.code },
            },
            'key.requested': '#two-factor.scanning',
            'wizard.left': '#two-factor.left',
          },
        },
        /** Cannot be left: if the code is accepted, the recovery codes must be shown. */
        checking: {
          entry: 'clearFailure',
          invoke: {
            id: 'verify',
            src: 'verify',
            input: ({ event }) => {
              assertEvent(event, 'code.submitted');
              return { code: event.code.trim() };
            },
            onDone: {
              target: '#two-factor.savingCodes',
              actions: [{ type: 'setCodes', params: ({ event }) => event.output }, 'emitChanged'],
            },
            onError: [
              {
                guard: { type: 'codeRejected', params: ({ event }) => failureOf(event.error) },
                target: 'enteringCode',
                actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              },
              {
                target: 'checkingStatus',
                actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        /** No usable reply: two-factor may be on already. */
        checkingStatus: {
          invoke: {
            id: 'fetchStatus',
            src: 'fetchStatus',
            onDone: [
              {
                guard: { type: 'isOn', params: ({ event }) => event.output },
                target: '#two-factor.codesLost',
                actions: 'emitChanged',
              },
              { target: 'enteringCode' },
            ],
            onError: 'enteringCode',
          },
        },
      },
    },
    /** On, but the reply with the recovery codes was lost: the user turns it off and starts again. */
    codesLost: { entry: 'clearSecrets', on: { 'disabling.requested': 'disabling', 'wizard.left': 'left' } },
    savingCodes: {
      initial: 'showing',
      states: {
        showing: {
          on: {
            'confirmation.changed': {
              guard: { type: 'confirmed', params: ({ event }) => event.confirmed },
              target: 'saved',
            },
            'wizard.left': 'warned',
            'codes.finished': 'warned',
          },
        },
        warned: {
          on: {
            'confirmation.changed': {
              guard: { type: 'confirmed', params: ({ event }) => event.confirmed },
              target: 'saved',
            },
          },
        },
        saved: {
          on: {
            'confirmation.changed': {
              guard: { type: 'notConfirmed', params: ({ event }) => event.confirmed },
              target: 'showing',
            },
            'wizard.left': '#two-factor.done',
            'codes.finished': '#two-factor.done',
          },
        },
      },
    },
    disabling: {
      entry: 'clearFailure',
      initial: 'enteringCode',
      states: {
        enteringCode: {
          on: {
            'code.submitted': {
              guard: { type: 'anyCode', params: ({ event }) => event.code },
              target: 'checking',
              actions: { type: 'setCode', params: ({ event }) => event.code },
            },
            'wizard.left': '#two-factor.left',
          },
        },
        checking: {
          entry: 'clearFailure',
          invoke: {
            id: 'disable',
            src: 'disable',
            input: ({ event }) => {
              assertEvent(event, 'code.submitted');
              return { code: event.code.trim() };
            },
            onDone: { target: '#two-factor.turnedOff', actions: 'emitChanged' },
            onError: [
              {
                guard: { type: 'codeRejected', params: ({ event }) => failureOf(event.error) },
                target: 'enteringCode',
                actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              },
              {
                target: 'checkingStatus',
                actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        checkingStatus: {
          invoke: {
            id: 'fetchStatus',
            src: 'fetchStatus',
            onDone: [
              {
                guard: { type: 'isOff', params: ({ event }) => event.output },
                target: '#two-factor.turnedOff',
                actions: 'emitChanged',
              },
              { target: 'enteringCode' },
            ],
            onError: 'enteringCode',
          },
        },
      },
    },
    done: { type: 'final', entry: 'clearSecrets' },
    turnedOff: { type: 'final', entry: 'clearSecrets' },
    left: { type: 'final', entry: 'clearSecrets' },
  },
});

export type TwoFactorActor = ActorRefFrom<typeof twoFactorMachine>;
type TwoFactorSnapshot = SnapshotFrom<typeof twoFactorMachine>;

/** The shown page of the wizard. */
type TwoFactorStep = 'key' | 'code' | 'codes' | 'codes-lost' | 'turn-off' | 'end';

export const selectStep = (snapshot: TwoFactorSnapshot): TwoFactorStep => {
  if (snapshot.status !== 'active') return 'end';
  if (snapshot.matches('verifying')) return 'code';
  if (snapshot.matches('savingCodes')) return 'codes';
  if (snapshot.matches('codesLost')) return 'codes-lost';
  return snapshot.matches('disabling') ? 'turn-off' : 'key';
};
export const selectSharedKey = ({ context }: TwoFactorSnapshot): SharedKey | null => context.key;
export const selectRecoveryCodes = ({ context }: TwoFactorSnapshot): readonly string[] => context.recoveryCodes;
/** Returns why the last call failed; null if none failed. */
export const selectTwoFactorFailure = ({ context }: TwoFactorSnapshot): Failure | null => context.failure;
export const selectIsChecking = (snapshot: TwoFactorSnapshot): boolean =>
  snapshot.matches({ verifying: 'checking' }) ||
  snapshot.matches({ verifying: 'checkingStatus' }) ||
  snapshot.matches({ disabling: 'checking' }) ||
  snapshot.matches({ disabling: 'checkingStatus' });
/** Returns whether the user confirmed that the recovery codes are saved. */
export const selectAreCodesSaved = (snapshot: TwoFactorSnapshot): boolean => snapshot.matches({ savingCodes: 'saved' });
/** Returns whether the user tried to leave before confirming. */
export const selectIsWarned = (snapshot: TwoFactorSnapshot): boolean => snapshot.matches({ savingCodes: 'warned' });
/** Returns the result: on, off or unchanged; null while the wizard is open. */
export const selectTwoFactorEnd = (snapshot: TwoFactorSnapshot): 'on' | 'off' | 'left' | null => {
  if (snapshot.matches('done')) return 'on';
  if (snapshot.matches('turnedOff')) return 'off';
  return snapshot.matches('left') ? 'left' : null;
};
