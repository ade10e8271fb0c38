import { type AnyActorScope, type AnyEventObject, type AnyMachineSnapshot, createActor } from 'xstate';
import { isForbidden, type Model, nameOf, serialized, withoutNames } from '../../tests/paths.ts';

/** One step of a path: the event, the next state, and the transitions that were taken, by microstep. */
export interface Step {
  readonly event: AnyEventObject;
  readonly state: AnyMachineSnapshot;
  readonly taken: readonly (readonly string[])[];
}

export interface Stepper {
  readonly start: () => Step;
  readonly next: (state: AnyMachineSnapshot, event: AnyEventObject) => Step;
}

/** Computes steps of a model's machine without running it: ports and timers do nothing. */
export const stepperOf = (model: Model): Stepper => {
  const machine = withoutNames(model.machine);
  const self = createActor(machine, { input: model.input });
  let taken: (readonly string[])[] = [];
  self.system.inspect((inspected) => {
    if (inspected.type !== '@xstate.microstep' || inspected.actorRef !== self) return;
    const names = inspected._transitions.filter((transition) => !isForbidden(transition)).map(nameOf);
    if (names.length > 0) taken.push(names);
  });
  const nothing = () => {};
  const scope = {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    defer: nothing,
    logger: nothing,
    stopChild: nothing,
    emit: nothing,
    actionExecutor: nothing,
  } as unknown as AnyActorScope;
  const take = (event: AnyEventObject, state: AnyMachineSnapshot): Step => {
    const step = { event, state, taken };
    taken = [];
    return step;
  };
  return {
    start: () => take({ type: 'xstate.init' }, machine.getInitialSnapshot(scope as never, model.input)),
    next: (state, event) => take(event, state.machine.transition(state, event, scope as never)),
  };
};

/** Returns the events of a path as text: two paths with the same events are the same path. */
export const eventsOf = (steps: readonly { readonly event: AnyEventObject }[]): readonly string[] =>
  steps.slice(1).map(({ event }) => serialized(event) ?? '');
