import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProblemCode } from '../../../contract/problem.ts';

/** How a tester makes an event happen. */
export interface Instruction {
  readonly how: string;
  /** Tool that is needed; null when the step is made by hand. */
  readonly tool: string | null;
}

/** An instruction that may depend on the data of the event, or on the reply of a port. */
type InstructionFor<Data> = Instruction | ((data: Data) => Instruction);

/** An instruction for every event type of a machine. */
export type EventInstructions<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: InstructionFor<Extract<Event, { readonly type: Type }>>;
};

export interface MachineInstructions {
  readonly events: Readonly<Record<string, InstructionFor<never>>>;
  /** By port, a space, and `done` or the name of the failure: `signIn done`, `signIn offline`. */
  readonly replies: Readonly<Record<string, InstructionFor<never>>>;
  /** What is needed besides waiting, by delay. */
  readonly delays?: Readonly<Record<string, Instruction>>;
}

const texts = new Map<string, Readonly<Record<string, string>>>();

const textsOf = (namespace: string): Readonly<Record<string, string>> => {
  const file = path.join(import.meta.dirname, '../../../locales/en', `${namespace}.json`);
  const known = texts.get(namespace) ?? JSON.parse(readFileSync(file, 'utf8'));
  texts.set(namespace, known);
  return known;
};

/** Returns an English label of the program in quotation marks, by namespace and key: `sign-in:submit`. Throws when there is none. */
export const label = (name: string): string => {
  const [namespace = '', key = ''] = name.split(':');
  const text = textsOf(namespace)[key];
  if (text === undefined) throw new Error(`locales/en has no "${name}"`);
  return `"${text.replaceAll(/\{\{\w+\}\}/g, '…')}"`;
};

export const byHand = (how: string): Instruction => ({ how, tool: null });

const withTool = (tool: string) => (how: string) => ({ how, tool });

export const withDeveloperTools = withTool('the developer tools of the browser (F12)');
export const withTerminal = withTool('a terminal on the computer of the archive');
export const withProxy = withTool('an intercepting proxy');
export const withTestServers = withTool('the test servers (npm run stand-ins -- --run)');

/** For events that no control of the program and no tool sends. */
export const onlyAutomated = (how: string): Instruction => ({
  how: `${how} The automated tests cover this step; skip the path.`,
  tool: 'the automated tests',
});

/** For replies that arrive by themselves. */
export const automatic: Instruction = byHand('Do nothing: the archive replies.');

const beforehand = 'Before the previous step:';

/** For an event that the previous step causes by itself. */
export const follows = (how: string): Instruction => byHand(`Do nothing: ${how}`);

/** For calls that fail because the network is gone. */
export const offline: Instruction = withDeveloperTools(
  `${beforehand} on the tab "Network", choose "Offline" instead of "No throttling". Afterwards: choose "No throttling".`,
);

/** For one call that gets no reply while others still work. */
export const blocked = (address: string): Instruction =>
  withDeveloperTools(
    `${beforehand} open "Network request blocking" and block ${address}. Afterwards: remove the block.`,
  );

/** For one call that the archive rejects in a way that cannot be caused by hand. */
export const rejected = (address: string, code: ProblemCode): Instruction =>
  withProxy(`${beforehand} let the proxy answer ${address} with the status 400 and the body {"code": "${code}"}.`);

/** For one call that a server in front of the archive answers with 503. */
export const unavailable = (address: string): Instruction =>
  withProxy(`${beforehand} let the proxy answer ${address} with the status 503 and no body.`);

/** For a delay that only elapses while a call waits. */
export const slowly: Instruction = withDeveloperTools(
  'Before the call starts: on the tab "Network", choose "3G" instead of "No throttling".',
);

/** For a change that another user made first, without the page being notified. */
export const conflicting: Instruction = withDeveloperTools(
  'Before the sign-in: block */resource/importImageHub* under "Network request blocking". Before the previous step: make another change to the same image or mount in another browser.',
);
