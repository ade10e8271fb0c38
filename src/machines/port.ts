import { type AnyStateMachine, type EventObject, fromCallback, fromPromise, type InspectionEvent } from 'xstate';

/** Hears what actors do, while somebody develops. */
export type Inspect = (event: InspectionEvent) => void;

/** A slot for work that happens outside the machine: the machine names and types it, `src/wiring.ts` fills it. */
export const port = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`Port "${name}" is not wired`)));

/** A slot for a source that keeps talking until it is stopped. What it says are events of the machine. */
export const talkingPort = <Input>(name: string) =>
  fromCallback<EventObject, Input>(() => {
    throw new Error(`Port "${name}" is not wired`);
  });

/** A slot for a machine whose code comes later than that of the one that starts it; filled by the time that it is started. */
export const machineSlot = <Machine extends AnyStateMachine>(name: string): Machine =>
  talkingPort(name) as unknown as Machine;
