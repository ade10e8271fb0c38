import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import type { Language } from '../../../src/views/language/languages.ts';
import { delayNameOf } from './delays.ts';

const root = path.join(import.meta.dirname, '../../..');

const textsOf = (language: Language, name: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path.join(root, 'locales', language, `${name}.json`), 'utf8'));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A failure as machines know it. */
const isFailure = (value: unknown): value is { readonly kind: string; readonly code?: string } =>
  isRecord(value) && ['offline', 'refused', 'drift', 'unexpected'].includes(String(value.kind));

const lineOf = (node: AnyStateNode): readonly AnyStateNode[] => (node.parent ? [...lineOf(node.parent), node] : []);

/** Ends of the active branches, in the order of the chart: where the machine stands. */
export const leavesOf = (state: AnyMachineSnapshot): readonly AnyStateNode[] =>
  state._nodes
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .sort((one, other) => one.order - other.order);

/** What machines do, in the words of a clinic. A missing word is an error: a test holds that there is none. */
export const wordsOf = (language: Language) => {
  const texts = textsOf(language, 'machines');
  const failures = textsOf(language, 'failure');

  const text = (key: string, values: Readonly<Record<string, string | number>> = {}): string => {
    const found = texts[key];
    if (found === undefined) throw new Error(`locales/${language}/machines.json has no "${key}"`);
    return found.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };

  const stateText = (id: string): string => text(id.includes('.') ? `state.${id}` : `machine.${id}`);

  /** The states from the outermost to this one. */
  const standText = (node: AnyStateNode): string =>
    lineOf(node)
      .map(({ id }) => stateText(id))
      .join(' › ');

  const eventText = (machine: string, type: string): string => {
    const [, answer, port] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
    if (answer) return text(`${answer === 'done' ? 'done' : 'failed'}.${machine}.${port}`);
    if (type.startsWith('xstate.after.')) {
      const delay = text(`delay.${machine}.${delayNameOf(type)}`);
      return text('paths.passes', { delay: delay.charAt(0).toLowerCase() + delay.slice(1) });
    }
    return type === '' ? text('paths.always') : text(`event.${machine}.${type}`);
  };

  const failureText = ({ kind, code }: { readonly kind: string; readonly code?: string }): string => {
    const name = kind === 'refused' ? (code ?? 'unexpected') : kind;
    return `${failures[name] ?? failures.unexpected} (${name})`;
  };

  /** A value as a person types or reads it. */
  const valueText = (value: unknown): string => {
    if (isFailure(value)) return failureText(value);
    if (typeof value === 'string') return value === value.trim() && value !== '' ? value : JSON.stringify(value);
    return JSON.stringify(value);
  };

  const transitionText = (name: string): string => {
    const [source = '', type = '', index = '0'] = name.split(' | ');
    const event = eventText(source.split('.')[0] ?? source, type === 'always' ? '' : type);
    const taken = text('paths.takes', { event, state: stateText(source) });
    return index === '0' ? taken : `${taken} (${text('paths.variant', { number: Number(index) + 1 })})`;
  };

  /** What a path is for. */
  const goalText = (goal: string): string => {
    const [first, second] = goal.split(' -> ');
    if (first !== undefined && second !== undefined)
      return text('paths.then', { first: transitionText(first), second: transitionText(second) });
    return goal.includes(' | ') ? transitionText(goal) : text('paths.reaches', { state: stateText(goal) });
  };

  return { language, text, stateText, standText, eventText, valueText, goalText };
};

export type Words = ReturnType<typeof wordsOf>;
