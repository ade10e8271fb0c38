import { expect } from 'vitest';
import {
  type ActorRefLike,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
  fromCallback,
  fromPromise,
} from 'xstate';
import { exceptionsOf } from '../tools/coverage/exceptions.ts';
import { markDrivenByPaths } from '../tools/coverage/observe.ts';
import { isDelay, type Model, nameOf, nodesOf, type Path, pathsOf, serialized, transitionsOf } from './paths.ts';

/** Must hold in every state that can be reached. */
/** What has to hold in a state, with the path that led to it. */
export type Invariants = (snapshot: AnyMachineSnapshot, path: Path) => void;

/** A model, and what has to hold along its paths. */
export interface Walk extends Model {
  readonly invariants: Invariants;
}

interface Timer {
  readonly id: number;
  readonly ms: number;
  readonly run: () => void;
}

/** Clock of an actor; the test chooses which timer ends next. */
const pickedClock = () => {
  let timers: readonly Timer[] = [];
  let count = 0;
  return {
    setTimeout: (run: () => void, ms: number): number => {
      count += 1;
      timers = [...timers, { id: count, ms, run }];
      return count;
    },
    clearTimeout: (id: number) => {
      timers = timers.filter((timer) => timer.id !== id);
    },
    fire: (ms: number) => {
      const timer = timers.find((one) => one.ms === ms);
      if (!timer) throw new Error(`No timer of ${ms} ms runs; running: ${timers.map((one) => one.ms).join(', ')}`);
      timers = timers.filter((one) => one !== timer);
      timer.run();
    },
  };
};

interface Held {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const answered = /^xstate\.(done|error)\.actor\.(.+)$/;

/** Ports that the test controls: a promise if the model has replies of the port, else a callback that sends nothing. */
const controlledPorts = (model: Model, keep: readonly string[]) => {
  const held = new Map<string, Held>();
  const promises = new Set(model.events.map(({ type }) => answered.exec(type)?.[2]));
  const names = Object.keys(model.machine.implementations.actors).filter((name) => !keep.includes(name));
  const actors = Object.fromEntries(
    names.map((name) => [
      name,
      promises.has(name)
        ? fromPromise(({ signal }) => {
            const { promise, resolve, reject } = Promise.withResolvers<unknown>();
            const mine = { resolve, reject };
            held.set(name, mine);
            signal.addEventListener('abort', () => {
              if (held.get(name) === mine) held.delete(name);
            });
            return promise;
          })
        : fromCallback(() => {}),
    ]),
  );
  const answer = (name: string, event: AnyEventObject) => {
    const port = held.get(name);
    if (!port) throw new Error(`Port "${name}" is not at work`);
    held.delete(name);
    if (event.type.startsWith('xstate.done')) port.resolve(event.output);
    else port.reject(event.error);
  };
  return { actors, answer };
};

const millisecondsOf = (machine: AnyStateMachine, type: string, snapshot: AnyMachineSnapshot): number => {
  const node = nodesOf(machine).find(({ transitions }) => transitions.has(type));
  const name = type.slice('xstate.after.'.length, -(node?.id.length ?? 0) - 1);
  const delay: unknown = machine.implementations.delays[name];
  return typeof delay === 'function' ? delay({ context: snapshot.context }) : Number(delay);
};

/** Asked while the actor is being made, before any caller has it. */
const isOf = (machine: AnyStateMachine, actor: ActorRefLike): boolean => 'logic' in actor && actor.logic === machine;

export interface Replayed {
  readonly taken: ReadonlySet<string>;
  /** Emitted events, in order. */
  readonly emitted: readonly AnyEventObject[];
}

/** For each step the path up to it; null where an earlier path began with the same steps, which add their keys to `checked`. */
const uncheckedWays = ({ steps, ...path }: Path, checked: Set<string>): readonly (Path | null)[] => {
  let key = '';
  return steps.map(({ event }, index) => {
    key += `${serialized(event)}\n`;
    if (checked.has(key)) return null;
    checked.add(key);
    return { ...path, steps: steps.slice(0, index + 1) };
  });
};

/** Walks a path on a live actor and compares each state of `ways` with the one that the path promises. */
const replay = async (
  model: Walk,
  path: Path,
  ways: readonly (Path | null)[],
  keep: readonly string[] = [],
): Promise<Replayed> => {
  const clock = pickedClock();
  const taken = new Set<string>();
  const { actors, answer } = controlledPorts(model, keep);
  const machine = markDrivenByPaths(model.machine.provide({ actors }));
  const emitted: AnyEventObject[] = [];
  const actor = createActor(machine, {
    clock,
    input: model.input,
    inspect: (inspected) => {
      if (inspected.type !== '@xstate.microstep' || !isOf(machine, inspected.actorRef)) return;
      for (const transition of inspected._transitions as readonly AnyTransitionDefinition[])
        taken.add(nameOf(transition));
    },
  });
  actor.on('*', (event) => emitted.push(event));
  actor.start();
  const seen = () => {
    const snapshot: AnyMachineSnapshot = actor.getSnapshot();
    return { value: snapshot.value, facts: model.facts(snapshot) };
  };
  for (const [index, { event, state }] of path.steps.entries()) {
    if (event.type !== 'xstate.init') {
      const port = answered.exec(event.type)?.[2];
      if (port) answer(port, event);
      else if (isDelay(event.type)) clock.fire(millisecondsOf(machine, event.type, actor.getSnapshot()));
      else actor.send(event);
      // A settled promise takes effect in later turns of the microtask queue.
      if (port) await new Promise(setImmediate);
    }
    const way = ways[index];
    if (!way) continue;
    const label = way.steps.map((step) => step.event.type).join(' -> ');
    expect(seen(), label).toEqual({ value: state.value, facts: model.facts(state) });
    model.invariants(actor.getSnapshot(), way);
  }
  actor.stop();
  return { taken, emitted };
};

interface WalkOptions {
  /** Events that the machine raises itself. */
  readonly raised?: readonly string[];
  /** Actors that stay as they are. */
  readonly keep?: readonly string[];
  readonly check?: (replayed: Replayed, path: Path) => void;
}

/** Walks every path of the models of one machine. Fails when a transition or a state was never walked. Prints the counts. */
export const walkAll = async (
  models: readonly Walk[],
  { raised = [], keep = [], check }: WalkOptions = {},
): Promise<void> => {
  const machine = models[0]?.machine;
  if (!machine) throw new Error('There is no model to walk');
  const taken = new Set<string>();
  const visited = new Set<string>();
  let [pathCount, stepCount] = [0, 0];
  for (const model of models) {
    const checked = new Set<string>();
    for (const path of pathsOf(model, raised)) {
      pathCount += 1;
      stepCount += path.steps.length;
      const ways = uncheckedWays(path, checked);
      for (const [index, { state }] of path.steps.entries()) {
        const way = ways[index];
        if (way) model.invariants(state, way);
        for (const node of state._nodes) visited.add(node.id);
      }
      const replayed = await replay(model, path, ways, keep);
      for (const name of replayed.taken) taken.add(name);
      check?.(replayed, path);
    }
  }
  const transitions = transitionsOf(machine);
  // A state that is left in the same breath is never seen at rest; its transitions are counted instead.
  const states = nodesOf(machine).filter((node) => (node.always ?? []).every(({ guard }) => guard !== undefined));
  const unvisited = states.map(({ id }) => id).filter((id) => !visited.has(id));
  const untaken = transitions.filter((name) => !taken.has(name));
  const excepted = exceptionsOf(machine.id);
  console.log(
    `${machine.id}: ${pathCount} paths, ${stepCount} steps, ` +
      `${states.length - unvisited.length} of ${states.length} states, ` +
      `${transitions.length - untaken.length} of ${transitions.length} transitions`,
  );
  expect(unvisited, 'states never reached').toEqual([]);
  expect(untaken, 'transitions never taken, besides those of tools/coverage/exceptions.ts').toEqual(excepted);
};
