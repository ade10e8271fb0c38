import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { failureTexts, requiredText } from '../machine-texts.ts';
import { delayNameOf } from './delays.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface PlainFailure {
  readonly kind: string;
  readonly code?: string;
}

const isFailure = (value: unknown): value is PlainFailure =>
  isRecord(value) && ['offline', 'refused', 'drift', 'unexpected'].includes(String(value.kind));

/** Returns a state and the states around it, from the outermost; without the machine itself. */
const withParents = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent ? [...withParents(node.parent), node] : [];

/** Returns the active atomic and final states in the order of the chart. */
export const leavesOf = (state: AnyMachineSnapshot): readonly AnyStateNode[] =>
  state._nodes
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .sort((one, other) => one.order - other.order);

const stateText = (id: string): string => requiredText(id.includes('.') ? `state.${id}` : `machine.${id}`);

/** Returns the texts of a state and the states around it, from the outermost. */
export const fullStateText = (node: AnyStateNode): string =>
  withParents(node)
    .map(({ id }) => stateText(id))
    .join(' › ');

const withSmallInitial = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export const eventText = (machine: string, type: string): string => {
  const [, reply, port] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (reply) return requiredText(`${reply === 'done' ? 'done' : 'failed'}.${machine}.${port}`);
  if (type.startsWith('xstate.after.'))
    return `Time passes: ${withSmallInitial(requiredText(`delay.${machine}.${delayNameOf(type)}`))}`;
  return type === '' ? 'Automatically' : requiredText(`event.${machine}.${type}`);
};

/** Returns the problem code of a rejected call, or the kind of another failure. */
export const failureNameOf = (failure: PlainFailure): string =>
  failure.kind === 'refused' ? (failure.code ?? 'unexpected') : failure.kind;

const failureText = (failure: PlainFailure): string => {
  const name = failureNameOf(failure);
  return `${failureTexts[name] ?? failureTexts.unexpected} (${name})`;
};

/** Returns a value as a tester reads or types it. */
export const valueText = (value: unknown): string => {
  if (isFailure(value)) return failureText(value);
  if (typeof value === 'string') return value === value.trim() && value !== '' ? value : JSON.stringify(value);
  return JSON.stringify(value);
};

const transitionText = (name: string): string => {
  const [source = '', type = '', index = '0'] = name.split(' | ');
  const event = eventText(source.split('.')[0] ?? source, type === 'always' ? '' : type);
  const text = `${event} (in the state: ${stateText(source)})`;
  return index === '0' ? text : `${text} (case ${Number(index) + 1})`;
};

/** Returns what a path was generated for. */
export const goalText = (goal: string): string => {
  const [first, second] = goal.split(' -> ');
  if (first !== undefined && second !== undefined) return `${transitionText(first)}, then ${transitionText(second)}`;
  return goal.includes(' | ') ? transitionText(goal) : `Reach the state ${stateText(goal)}`;
};
