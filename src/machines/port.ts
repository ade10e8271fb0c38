import { type AnyStateMachine, type EventObject, fromCallback, fromPromise, type InspectionEvent } from 'xstate';

/** Receives inspection events of actors, in development. */
export type Inspect = (event: InspectionEvent) => void;

/** Creates a slot for work outside the machine: the machine names and types it, `src/wiring/` fills it. */
export const port = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`Port "${name}" is not wired`)));

/** Creates a slot for a source that sends events to the machine until it is stopped. */
export const callbackPort = <Input>(name: string) =>
  fromCallback<EventObject, Input>(() => {
    throw new Error(`Port "${name}" is not wired`);
  });

/** Fills a port with abortable work. */
export const fillPort = <Input, Output>(work: (input: Input, signal: AbortSignal) => Promise<Output>) =>
  fromPromise<Output, Input>(({ input, signal }) => work(input, signal));

/** Creates a slot for a machine whose code is loaded later; `lazyMachine` fills it. */
export const machineSlot = <Machine extends AnyStateMachine>(name: string): Machine =>
  callbackPort(name) as unknown as Machine;

/**
 * Returns a stand-in for the machine that `loaded` returns: its parent can start with all its actors before the code of this machine is
 * loaded. It must be loaded when an actor of it starts.
 */
export const lazyMachine = <Machine extends AnyStateMachine>(loaded: () => Machine): Machine =>
  new Proxy({} as Machine, {
    get: (_, name) => Reflect.get(loaded(), name),
    has: (_, name) => Reflect.has(loaded(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(loaded()),
  });
