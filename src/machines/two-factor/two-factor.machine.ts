import { type ActorRefFrom, assertEvent, type SnapshotFrom } from 'xstate';
import { type Failure, failureOf } from '../../services/failure.ts';
import { chart, type SharedKey } from './two-factor.setup.ts';

/**
 * Turns two-factor on or off. Leaving before the first code was verified leaves it off; a reply that got lost is asked for before anything
 * else is believed; and the recovery codes, which are told once, are not left before the person says that they are kept.
 */
export const twoFactorMachine = chart.createMachine({
  id: 'two-factor',
  context: ({ input }) => ({ wish: input.wish, key: null, code: '', recoveryCodes: [], failure: null }),
  initial: 'beginning',
  states: {
    beginning: { always: [{ guard: 'wantsOff', target: 'disabling' }, { target: 'settingUp' }] },
    settingUp: {
      entry: 'forgetFailure',
      invoke: {
        id: 'setUp',
        src: 'setUp',
        onDone: { target: 'scanning', actions: { type: 'rememberKey', params: ({ event }) => event.output } },
        onError: {
          target: 'setupFailed',
          actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
      on: { 'wizard.left': 'left' },
    },
    setupFailed: { on: { 'setup.retried': 'settingUp', 'wizard.left': 'left' } },
    scanning: { entry: 'forgetFailure', on: { 'key.stored': 'verifying', 'wizard.left': 'left' } },
    verifying: {
      initial: 'asking',
      states: {
        asking: {
          on: {
            'code.submitted': {
              guard: { type: 'anyCode', params: ({ event }) => event.code },
              target: 'checking',
              actions: { type: 'rememberCode', params: ({ event }) => event.code },
            },
            'key.wanted': '#two-factor.scanning',
            'wizard.left': '#two-factor.left',
          },
        },
        /** Nobody leaves here: the answer may be that two-factor is on, and then the recovery codes must be seen. */
        checking: {
          entry: 'forgetFailure',
          invoke: {
            id: 'verify',
            src: 'verify',
            input: ({ event }) => {
              assertEvent(event, 'code.submitted');
              return { code: event.code.trim() };
            },
            onDone: {
              target: '#two-factor.savingCodes',
              actions: [{ type: 'rememberCodes', params: ({ event }) => event.output }, 'tellChanged'],
            },
            onError: [
              {
                guard: { type: 'wrongCode', params: ({ event }) => failureOf(event.error) },
                target: 'asking',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
              {
                target: 'findingOut',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        /** No answer, or none that can be understood: it may be on already. */
        findingOut: {
          invoke: {
            id: 'askIfOn',
            src: 'askIfOn',
            onDone: [
              {
                guard: { type: 'isOn', params: ({ event }) => event.output },
                target: '#two-factor.codesLost',
                actions: 'tellChanged',
              },
              { target: 'asking' },
            ],
            onError: 'asking',
          },
        },
      },
    },
    /** On, but the reply with the recovery codes never came: off again, and once more from the beginning. */
    codesLost: { entry: 'forgetSecrets', on: { 'disabling.wanted': 'disabling', 'wizard.left': 'left' } },
    savingCodes: {
      initial: 'showing',
      states: {
        showing: {
          on: {
            'codes.kept': { guard: { type: 'kept', params: ({ event }) => event.kept }, target: 'kept' },
            'wizard.left': 'warned',
            'codes.finished': 'warned',
          },
        },
        warned: {
          on: { 'codes.kept': { guard: { type: 'kept', params: ({ event }) => event.kept }, target: 'kept' } },
        },
        kept: {
          on: {
            'codes.kept': { guard: { type: 'takenBack', params: ({ event }) => event.kept }, target: 'showing' },
            'wizard.left': '#two-factor.done',
            'codes.finished': '#two-factor.done',
          },
        },
      },
    },
    disabling: {
      entry: 'forgetFailure',
      initial: 'asking',
      states: {
        asking: {
          on: {
            'code.submitted': {
              guard: { type: 'anyCode', params: ({ event }) => event.code },
              target: 'checking',
              actions: { type: 'rememberCode', params: ({ event }) => event.code },
            },
            'wizard.left': '#two-factor.left',
          },
        },
        checking: {
          entry: 'forgetFailure',
          invoke: {
            id: 'disable',
            src: 'disable',
            input: ({ event }) => {
              assertEvent(event, 'code.submitted');
              return { code: event.code.trim() };
            },
            onDone: { target: '#two-factor.turnedOff', actions: 'tellChanged' },
            onError: [
              {
                guard: { type: 'wrongCode', params: ({ event }) => failureOf(event.error) },
                target: 'asking',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
              {
                target: 'findingOut',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        findingOut: {
          invoke: {
            id: 'askIfOn',
            src: 'askIfOn',
            onDone: [
              {
                guard: { type: 'isOff', params: ({ event }) => event.output },
                target: '#two-factor.turnedOff',
                actions: 'tellChanged',
              },
              { target: 'asking' },
            ],
            onError: 'asking',
          },
        },
      },
    },
    done: { type: 'final', entry: 'forgetSecrets' },
    turnedOff: { type: 'final', entry: 'forgetSecrets' },
    left: { type: 'final', entry: 'forgetSecrets' },
  },
});

export type TwoFactorActor = ActorRefFrom<typeof twoFactorMachine>;
type TwoFactorSnapshot = SnapshotFrom<typeof twoFactorMachine>;

/** Which page of the wizard is shown. */
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
/** Why the last call was refused or got no answer; null while none failed. */
export const selectTwoFactorFailure = ({ context }: TwoFactorSnapshot): Failure | null => context.failure;
export const selectIsChecking = (snapshot: TwoFactorSnapshot): boolean =>
  snapshot.matches({ verifying: 'checking' }) ||
  snapshot.matches({ verifying: 'findingOut' }) ||
  snapshot.matches({ disabling: 'checking' }) ||
  snapshot.matches({ disabling: 'findingOut' });
/** The person says that the recovery codes are kept. */
export const selectAreCodesKept = (snapshot: TwoFactorSnapshot): boolean => snapshot.matches({ savingCodes: 'kept' });
/** They wanted to leave the codes without having said so. */
export const selectIsWarned = (snapshot: TwoFactorSnapshot): boolean => snapshot.matches({ savingCodes: 'warned' });
/** How it ended: on, off, or as it was; null while it goes on. */
export const selectTwoFactorEnd = (snapshot: TwoFactorSnapshot): 'on' | 'off' | 'left' | null => {
  if (snapshot.matches('done')) return 'on';
  if (snapshot.matches('turnedOff')) return 'off';
  return snapshot.matches('left') ? 'left' : null;
};
