import { expect, it, vi } from 'vitest';
import { assign, createActor, fromPromise, setup } from 'xstate';
import { observe, stateText } from '../../src/inspect/observed.ts';

const message = setup({
  types: {
    context: {} as { name: string },
    events: {} as { type: 'message.sent'; to: string } | { type: 'message.lost' },
  },
  actors: { send: fromPromise<void>(async () => {}) },
}).createMachine({
  id: 'message',
  context: { name: '' },
  initial: 'writing',
  states: {
    writing: { on: { 'message.sent': { target: 'sending', actions: assign({ name: ({ event }) => event.to }) } } },
    sending: { invoke: { id: 'send', src: 'send', onDone: 'sent' } },
    sent: {},
  },
});

const watched = () => {
  let time = 100;
  const observed = observe(() => time);
  const actor = createActor(message, { inspect: observed.inspect });
  actor.start();
  return { observed, actor, later: (ms: number) => (time += ms) };
};

it('lists the actors with their states and parents', async () => {
  const { observed, actor } = watched();
  actor.send({ type: 'message.sent', to: 'Astrid Berg' });
  await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('sent'));
  const { actors } = observed.seen();
  const [root, send] = actors;
  expect(root).toMatchObject({
    name: 'message',
    machine: 'message',
    parent: null,
    status: 'active',
    state: 'sent',
    context: { name: '(text)' },
  });
  expect(send).toMatchObject({ name: 'send', machine: null, parent: root?.key, status: 'done' });
});

it('lists the transitions of each event, and none for an ignored one', () => {
  const { observed, actor, later } = watched();
  later(250);
  actor.send({ type: 'message.lost' });
  actor.send({ type: 'message.sent', to: 'Astrid Berg' });
  const events = observed.seen().events.filter(({ type }) => type.startsWith('message'));
  expect(events).toMatchObject([
    { type: 'message.lost', atMs: 250, before: 'writing', after: 'writing', transitions: [] },
    {
      type: 'message.sent',
      before: 'writing',
      after: 'sending',
      payload: { to: '(text)' },
      transitions: ['message.writing | message.sent | 0'],
    },
  ]);
  expect(JSON.stringify(observed.seen())).not.toContain('Astrid');
});

it('records nothing while paused, and clears its events on request', () => {
  const { observed, actor } = watched();
  const listener = vi.fn();
  const stop = observed.onChange(listener);
  observed.clear();
  observed.pause(true);
  actor.send({ type: 'message.lost' });
  expect(observed.seen().events).toEqual([]);
  observed.pause(false);
  actor.send({ type: 'message.lost' });
  expect(observed.seen().events).toHaveLength(1);
  expect(listener).toHaveBeenCalled();
  stop();
  listener.mockClear();
  actor.send({ type: 'message.lost' });
  expect(listener).not.toHaveBeenCalled();
});

it('stores the latest two thousand events', () => {
  const { observed, actor } = watched();
  for (let count = 0; count < 2_100; count += 1) actor.send({ type: 'message.lost' });
  const { events } = observed.seen();
  expect(events).toHaveLength(2_000);
  expect(events.at(-1)?.number).toBeGreaterThan(2_000);
});

it('formats a state in one line', () => {
  expect(stateText('idle')).toBe('idle');
  expect(stateText({ signedIn: { check: 'resting', renewal: { waiting: 'long' } } })).toBe(
    'signedIn(check.resting, renewal.waiting.long)',
  );
});
