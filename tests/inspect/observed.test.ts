import { expect, it, vi } from 'vitest';
import { assign, createActor, fromPromise, setup } from 'xstate';
import { observe, stateText } from '../../src/inspect/observed.ts';

const letter = setup({
  types: {
    context: {} as { name: string },
    events: {} as { type: 'letter.sent'; to: string } | { type: 'letter.lost' },
  },
  actors: { send: fromPromise<void>(async () => {}) },
}).createMachine({
  id: 'letter',
  context: { name: '' },
  initial: 'writing',
  states: {
    writing: { on: { 'letter.sent': { target: 'sending', actions: assign({ name: ({ event }) => event.to }) } } },
    sending: { invoke: { id: 'send', src: 'send', onDone: 'sent' } },
    sent: {},
  },
});

const watched = () => {
  let time = 100;
  const observed = observe(() => time);
  const actor = createActor(letter, { inspect: observed.hear });
  actor.start();
  return { observed, actor, later: (ms: number) => (time += ms) };
};

it('knows the actors, where they stand and who made them', async () => {
  const { observed, actor } = watched();
  actor.send({ type: 'letter.sent', to: 'Astrid Berg' });
  await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('sent'));
  const { actors } = observed.seen();
  const [root, send] = actors;
  expect(root).toMatchObject({
    name: 'letter',
    machine: 'letter',
    parent: null,
    status: 'active',
    state: 'sent',
    context: { name: '(text)' },
  });
  expect(send).toMatchObject({ name: 'send', machine: null, parent: root?.key, status: 'done' });
});

it('tells of each event what it did, and that it was not heard', () => {
  const { observed, actor, later } = watched();
  later(250);
  actor.send({ type: 'letter.lost' });
  actor.send({ type: 'letter.sent', to: 'Astrid Berg' });
  const events = observed.seen().events.filter(({ type }) => type.startsWith('letter'));
  expect(events).toMatchObject([
    { type: 'letter.lost', atMs: 250, before: 'writing', after: 'writing', transitions: [] },
    {
      ...{ type: 'letter.sent', before: 'writing', after: 'sending', payload: { to: '(text)' } },
      transitions: ['letter.writing | letter.sent | 0'],
    },
  ]);
  expect(JSON.stringify(observed.seen())).not.toContain('Astrid');
});

it('takes nothing down while it is paused, and forgets what it is told to', () => {
  const { observed, actor } = watched();
  const heard = vi.fn();
  const stop = observed.onChange(heard);
  observed.clear();
  observed.pause(true);
  actor.send({ type: 'letter.lost' });
  expect(observed.seen().events).toEqual([]);
  observed.pause(false);
  actor.send({ type: 'letter.lost' });
  expect(observed.seen().events).toHaveLength(1);
  expect(heard).toHaveBeenCalled();
  stop();
  heard.mockClear();
  actor.send({ type: 'letter.lost' });
  expect(heard).not.toHaveBeenCalled();
});

it('keeps the latest two thousand events', () => {
  const { observed, actor } = watched();
  for (let count = 0; count < 2_100; count += 1) actor.send({ type: 'letter.lost' });
  const { events } = observed.seen();
  expect(events).toHaveLength(2_000);
  expect(events.at(-1)?.number).toBeGreaterThan(2_000);
});

it('says a state in one line', () => {
  expect(stateText('idle')).toBe('idle');
  expect(stateText({ signedIn: { check: 'resting', renewal: { waiting: 'long' } } })).toBe(
    'signedIn(check.resting, renewal.waiting.long)',
  );
});
